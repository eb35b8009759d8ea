import type { Appointment } from '@/api/types';
import { PrescriptionButton } from '@/domain/record/PrescriptionButton';
import { RecordParts } from '@/domain/record/RecordParts';
import { changedTimes, isPrescribed, recordedOf } from '@/domain/record/record';
import { StatusBadge } from '@/domain/StatusBadge';
import { formatDate } from '@/lib/dates';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { Card } from '@/ui/Card';
import { Link } from '@/ui/Link';
import styles from './RecordsPage.module.css';

/** One past visit and what was written about it. */
export function Record({ visit }: { visit: Appointment }) {
  const record = recordedOf(visit);
  const date = formatDate(visit.appointmentDate);
  const changed = changedTimes(visit.record.version);
  return (
    <Card as="li" className={styles.record}>
      <div className={styles.head}>
        <div>
          <h2 className={styles.date}>
            <Link href={paths.patientAppointment(visit._id)}>
              <time dateTime={visit.appointmentDate}>{date}</time>
            </Link>
          </h2>
          <p>
            {doctorName(visit.doctor.name)}, {visit.doctor.specialization}
          </p>
        </div>
        {visit.status !== 'completed' && <StatusBadge status={visit.status} />}
      </div>
      {visit.attended === false && <p className={styles.absent}>You did not come.</p>}
      <RecordParts
        record={record}
        visitDate={visit.appointmentDate}
        reader="patient"
        patientNotes={visit.notes.patient}
      />
      <div className={styles.foot} data-print="no">
        {isPrescribed(record) && <PrescriptionButton visitId={visit._id} about={date} />}
        <Link href={paths.patientAppointment(visit._id)} className={styles.more}>
          Files, changes and who opened it
          <span className="visually-hidden"> for the visit of {date}</span>
        </Link>
        {changed && <span className="muted small">{changed}</span>}
      </div>
    </Card>
  );
}
