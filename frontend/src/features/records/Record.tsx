import type { Appointment } from '@/api/types';
import { StatusBadge } from '@/domain/StatusBadge';
import { formatDate } from '@/lib/dates';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { Card } from '@/ui/Card';
import { Link } from '@/ui/Link';
import styles from './RecordsPage.module.css';
import { recordOf } from './record';

/** One past visit and what was written about it. */
export function Record({ visit }: { visit: Appointment }) {
  const record = recordOf(visit);
  return (
    <Card as="li" className={styles.record}>
      <div className={styles.head}>
        <div>
          <h2 className={styles.date}>
            <Link href={paths.patientAppointment(visit._id)}>
              <time dateTime={visit.appointmentDate}>{formatDate(visit.appointmentDate)}</time>
            </Link>
          </h2>
          <p>
            {doctorName(visit.doctor.name)}, {visit.doctor.specialization}
          </p>
        </div>
        {visit.status !== 'completed' && <StatusBadge status={visit.status} />}
      </div>
      <dl className={styles.parts}>
        <Part name="Diagnosis" text={record.diagnosis} />
        <Part name="Prescription" text={record.prescription} />
        {record.doctorNotes && <Part name="Doctor’s notes" text={record.doctorNotes} />}
        {record.patientNotes && <Part name="Your notes" text={record.patientNotes} />}
      </dl>
    </Card>
  );
}

function Part({ name, text }: { name: string; text: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{text}</dd>
    </div>
  );
}
