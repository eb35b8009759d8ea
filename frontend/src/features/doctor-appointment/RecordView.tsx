import type { Appointment, AppointmentRecord } from '@/api/types';
import { PrescriptionButton } from '@/domain/record/PrescriptionButton';
import { RecordSections } from '@/domain/record/RecordSections';
import { hasMedicines } from '@/domain/record/record';
import { addDays, formatFullDay, inZone } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { Button, LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Inline } from '@/ui/Inline';
import { CalendarIcon, PrintIcon } from '@/ui/icons';
import styles from './appointment.module.css';

interface Props {
  appointment: Appointment;
  record: AppointmentRecord;
  canEdit: boolean;
}

/** The record, read-only, with print and follow-up buttons. */
export function RecordView({ appointment, record, canEdit }: Props) {
  const { followUpDays, version, writtenAt } = record;
  const written = writtenAt ? inZone(writtenAt, appointment.timeZone) : null;
  return (
    <Card as="section" gap={3} className={styles.card} aria-labelledby="record">
      <Inline rowGap={1} gap={4} align="baseline" justify="between">
        <h2 id="record">Record</h2>
        {version > 0 && written && (
          <p className="muted small">
            Written {formatFullDay(written.date)}, {written.time}
          </p>
        )}
      </Inline>
      <RecordSections
        record={record}
        appointmentDate={appointment.appointmentDate}
        reader="doctor"
      />
      {canEdit ? (
        <Inline align="stretch" className={styles.actions}>
          <LinkButton
            variant={version > 0 ? 'secondary' : 'primary'}
            href={paths.doctorAppointment(appointment._id, { edit: 1 })}
            keepScroll
          >
            {version > 0 ? 'Edit record' : 'Write a record'}
          </LinkButton>
          {hasMedicines(record) && <PrescriptionButton appointmentId={appointment._id} />}
          {version > 0 && (
            <Button
              variant="secondary"
              icon={<PrintIcon size={20} />}
              onClick={() => window.print()}
            >
              Print
            </Button>
          )}
          <LinkButton
            variant="secondary"
            icon={<CalendarIcon size={20} />}
            href={paths.doctorBook(appointment.patient._id, {
              from: appointment._id,
              date:
                followUpDays === null
                  ? undefined
                  : addDays(appointment.appointmentDate, followUpDays),
            })}
          >
            Book a follow-up
          </LinkButton>
        </Inline>
      ) : (
        <p className="muted">
          {appointment.status === 'pending'
            ? 'You can write once the appointment is confirmed.'
            : 'This appointment did not take place, so it has no record.'}
        </p>
      )}
    </Card>
  );
}
