import type { Appointment } from '@/api/types';
import { StatusBadge } from '@/domain/StatusBadge';
import { formatDayTime } from '@/lib/dates';
import { formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { Link } from '@/ui/Link';
import { EmptyState } from '@/ui/states';
import styles from './dashboard.module.css';

/** The five most recent visits. */
export function Recent({ visits }: { visits: Appointment[] }) {
  return (
    <section className="stack" data-gap="2" aria-labelledby="recent">
      <div className={styles.sectionHead}>
        <h2 id="recent">Recent appointments</h2>
        <Link href={paths.doctorAppointments()} className={styles.end}>
          View All
        </Link>
      </div>
      {visits.length === 0 ? (
        <EmptyState title="No appointments yet">
          Every appointment of your patients is kept here.
        </EmptyState>
      ) : (
        <ul className={styles.rows}>
          {visits.map((visit) => (
            <li key={visit._id} className={styles.recent} data-row="">
              <Link href={paths.doctorAppointment(visit._id)} data-shortcut="open">
                {visit.patient.name}
              </Link>
              <time dateTime={visit.startsAt}>
                {formatDayTime(visit.appointmentDate, visit.appointmentTime)}
              </time>
              <span>
                <StatusBadge status={visit.status} />
              </span>
              <span className={styles.fee}>
                {formatMoney(visit.consultationFee, visit.currency)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
