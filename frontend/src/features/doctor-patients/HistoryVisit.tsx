import type { Appointment } from '@/api/types';
import { MedicineList } from '@/domain/record/MedicineList';
import { StatusBadge } from '@/domain/StatusBadge';
import { formatDayTime } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { Card } from '@/ui/Card';
import { Link } from '@/ui/Link';
import styles from './patients.module.css';

/** One earlier visit: why, what was found, what was given. */
export function HistoryVisit({ visit }: { visit: Appointment }) {
  const { prescription } = visit;
  const closed = visit.status === 'completed';
  return (
    <Card as="li" tight className={styles.visit}>
      <div className={styles.visitHead}>
        <h3 className={styles.name}>
          <Link href={paths.doctorAppointment(visit._id)}>
            <time dateTime={visit.startsAt}>
              {formatDayTime(visit.appointmentDate, visit.appointmentTime)}
            </time>
          </Link>
        </h3>
        <span className="row">
          {visit.attended === false && <span>Did not come</span>}
          <StatusBadge status={visit.status} />
        </span>
      </div>
      <dl className={styles.facts}>
        <Fact name="Symptoms" text={visit.symptoms} always />
        <Fact name="Diagnosis" text={visit.diagnosis} always={closed} />
        {prescription.items.length > 0 && (
          <div>
            <dt>Medicines</dt>
            <dd>
              <MedicineList items={prescription.items} />
            </dd>
          </div>
        )}
        <Fact
          name="Prescription"
          text={prescription.notes}
          always={closed && prescription.items.length === 0}
        />
        <Fact name="Notes" text={visit.notes.doctor} />
      </dl>
    </Card>
  );
}

/** A part of the visit; an empty one is left out unless it is asked for. */
function Fact({ name, text, always }: { name: string; text: string; always?: boolean }) {
  if (!text && !always) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd className={text ? styles.text : 'muted'}>{text || 'Nothing added'}</dd>
    </div>
  );
}
