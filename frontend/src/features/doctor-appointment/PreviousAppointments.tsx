import type { Appointment } from '@/api/types';
import { isNoShow } from '@/domain/appointment/StatusBadge';
import { RecordSections } from '@/domain/record/RecordSections';
import { isBlank, recordContent } from '@/domain/record/record';
import { formatDate } from '@/lib/dates';
import { capitalize } from '@/lib/names';
import { paths } from '@/lib/paths';
import { Card } from '@/ui/Card';
import { Disclosure } from '@/ui/Disclosure';
import { Link } from '@/ui/Link';
import { Stack } from '@/ui/Stack';
import styles from './appointment.module.css';

/** The patient's earlier appointments with this doctor, each with its record. */
export function PreviousAppointments({ appointments }: { appointments: Appointment[] }) {
  return (
    <Card as="section" tight gap={3} className={styles.card} aria-labelledby="past">
      <h2 id="past">Earlier appointments with you</h2>
      {appointments.length === 0 ? (
        <p className="muted">This is the first one.</p>
      ) : (
        <ul className={styles.previous}>
          {appointments.map((appointment, index) => (
            <li key={appointment._id}>
              <Disclosure
                summary={<PreviousAppointment appointment={appointment} />}
                open={index === 0 && !isBlank(recordContent(appointment)) ? true : undefined}
              >
                <Stack gap={3} className={styles.previousRecord}>
                  {isBlank(recordContent(appointment)) ? (
                    <p className="muted">No record.</p>
                  ) : (
                    <RecordSections
                      record={recordContent(appointment)}
                      appointmentDate={appointment.appointmentDate}
                      reader="doctor"
                    />
                  )}
                  <Link href={paths.doctorAppointment(appointment._id)}>
                    Open this appointment
                    <span className="visually-hidden">
                      {' '}
                      of {formatDate(appointment.appointmentDate)}
                    </span>
                  </Link>
                </Stack>
              </Disclosure>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function PreviousAppointment({ appointment }: { appointment: Appointment }) {
  return (
    <span className={styles.previousRow}>
      {formatDate(appointment.appointmentDate)}
      <span className={styles.previousSummary}>{outcomeText(appointment)}</span>
    </span>
  );
}

/** A summary of an appointment. */
function outcomeText(appointment: Appointment): string {
  if (isNoShow(appointment)) return 'No-show';
  if (appointment.status !== 'completed') return capitalize(appointment.status);
  return appointment.diagnosis.split('\n')[0] ?? '';
}
