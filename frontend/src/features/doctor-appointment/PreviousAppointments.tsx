import { Trans, useLingui } from '@lingui/react/macro';
import type { Appointment } from '@/api/types';
import { isNoShow, statusLabel } from '@/domain/appointment/StatusBadge';
import { RecordSections } from '@/domain/record/RecordSections';
import { isBlank, recordContent } from '@/domain/record/record';
import { formatDate } from '@/lib/dates';
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
      <h2 id="past">
        <Trans>Earlier appointments with you</Trans>
      </h2>
      {appointments.length === 0 ? (
        <p className="muted">
          <Trans>This is the first one.</Trans>
        </p>
      ) : (
        <ul className={styles.previous}>
          {appointments.map((appointment, index) => (
            <li key={appointment._id}>
              <PreviousAppointment appointment={appointment} isFirst={index === 0} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function PreviousAppointment({
  appointment,
  isFirst,
}: {
  appointment: Appointment;
  isFirst: boolean;
}) {
  const { t } = useLingui();
  const record = recordContent(appointment);
  const date = formatDate(appointment.appointmentDate);
  const isCompleted = appointment.status === 'completed' && !isNoShow(appointment);
  const outcome = isCompleted ? appointment.diagnosis.split('\n')[0] : t(statusLabel(appointment));
  return (
    <Disclosure
      summary={
        <span className={styles.previousRow}>
          {date}
          <span className={styles.previousSummary}>{outcome}</span>
        </span>
      }
      open={isFirst && !isBlank(record) ? true : undefined}
    >
      <Stack gap={3} className={styles.previousRecord}>
        {isBlank(record) ? (
          <p className="muted">
            <Trans>No record.</Trans>
          </p>
        ) : (
          <RecordSections
            record={record}
            appointmentDate={appointment.appointmentDate}
            reader="doctor"
          />
        )}
        <Link href={paths.doctorAppointment(appointment._id)}>
          <Trans>
            Open this appointment<span className="visually-hidden"> of {date}</span>
          </Trans>
        </Link>
      </Stack>
    </Disclosure>
  );
}
