import type { Appointment, VisitRecord } from '@/api/types';
import { PrescriptionButton } from '@/domain/record/PrescriptionButton';
import { RecordParts } from '@/domain/record/RecordParts';
import { isPrescribed } from '@/domain/record/record';
import { addDays, formatInstant } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { Button, LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { CalendarIcon, PrintIcon } from '@/ui/icons';
import styles from './visit.module.css';

interface Props {
  visit: Appointment;
  record: VisitRecord;
  writable: boolean;
}

/** What is written, to be read, printed and followed up. */
export function RecordShown({ visit, record, writable }: Props) {
  const { followUpDays, version, writtenAt } = record;
  return (
    <Card as="section" className={styles.card} aria-labelledby="record">
      <div className={styles.cardHead}>
        <h2 id="record">Record</h2>
        {version > 0 && writtenAt && (
          <p className="muted small">Written {formatInstant(writtenAt, visit.timeZone)}</p>
        )}
      </div>
      <RecordParts record={record} visitDate={visit.appointmentDate} reader="doctor" />
      {writable ? (
        <div className={styles.acts}>
          <LinkButton
            variant={version > 0 ? 'secondary' : 'primary'}
            href={paths.doctorAppointment(visit._id, { edit: 1 })}
            keepScroll
          >
            {version > 0 ? 'Change the record' : 'Write a record'}
          </LinkButton>
          {isPrescribed(record) && <PrescriptionButton visitId={visit._id} />}
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
            href={paths.doctorBook(visit.patient._id, {
              from: visit._id,
              date:
                followUpDays === null ? undefined : addDays(visit.appointmentDate, followUpDays),
            })}
          >
            Book a follow-up
          </LinkButton>
        </div>
      ) : (
        <p className="muted">
          {visit.status === 'pending'
            ? 'You can write once the visit is confirmed.'
            : 'This visit did not take place, so nothing is written about it.'}
        </p>
      )}
    </Card>
  );
}
