import { Trans, useLingui } from '@lingui/react/macro';
import type { Appointment, AppointmentRecord } from '@/api/types';
import { PrescriptionButton } from '@/domain/record/PrescriptionButton';
import { RecordSections } from '@/domain/record/RecordSections';
import { hasMedicines } from '@/domain/record/record';
import { addDays, formatFullDay, formatTime, inZone } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { Button, LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Inline } from '@/ui/Inline';
import { CalendarIcon } from '@/ui/icons';
import { PrintIcon } from '@/ui/pageIcons';
import styles from './appointment.module.css';

interface Props {
  appointment: Appointment;
  record: AppointmentRecord;
  canEdit: boolean;
}

/** The record, read-only, with print and follow-up buttons. */
export function RecordView({ appointment, record, canEdit }: Props) {
  const { t } = useLingui();
  const { followUpDays, version, writtenAt } = record;
  const written = writtenAt ? inZone(writtenAt, appointment.timeZone) : null;
  const day = written && formatFullDay(written.date);
  const time = written && formatTime(written.time);
  return (
    <Card as="section" gap={3} className={styles.card} aria-labelledby="record">
      <Inline rowGap={1} gap={4} align="baseline" justify="between">
        <h2 id="record">
          <Trans context="of an appointment">Record</Trans>
        </h2>
        {version > 0 && day && (
          <p className="muted small">
            <Trans>
              Written {day}, {time}
            </Trans>
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
            {version > 0 ? t`Edit record` : t`Write a record`}
          </LinkButton>
          {hasMedicines(record) && <PrescriptionButton appointmentId={appointment._id} />}
          {version > 0 && (
            <Button
              variant="secondary"
              icon={<PrintIcon size={20} />}
              onClick={() => window.print()}
            >
              <Trans>Print</Trans>
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
            <Trans>Book a follow-up</Trans>
          </LinkButton>
        </Inline>
      ) : (
        <p className="muted">
          {appointment.status === 'pending'
            ? t`You can write a record once you’ve confirmed the appointment.`
            : t`This appointment didn’t take place, so it has no record.`}
        </p>
      )}
    </Card>
  );
}
