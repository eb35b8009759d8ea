import type { Appointment } from '@/api/types';
import { StatusBadge } from '@/domain/appointment/StatusBadge';
import { formatDayTime } from '@/lib/dates';
import { formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { EmptyState } from '@/ui/EmptyState';
import { Link } from '@/ui/Link';
import styles from './dashboard.module.css';

/** The five appointments with the latest activity: booked, changed or taken place. */
export function RecentActivity({ appointments }: { appointments: Appointment[] }) {
  return (
    <section className="stack" data-gap="2" aria-labelledby="recent">
      <div className={styles.sectionHead}>
        <h2 id="recent">Recent appointments</h2>
        <Link href={paths.doctorAppointments()} className={styles.end}>
          View All
        </Link>
      </div>
      {appointments.length === 0 ? (
        <EmptyState title="No appointments yet">
          Appointments appear here when they are booked, changed or take place.
        </EmptyState>
      ) : (
        <ul className={styles.rows}>
          {appointments.map((appointment) => (
            <li key={appointment._id} className={styles.recent} data-row="">
              <Link href={paths.doctorAppointment(appointment._id)} data-shortcut="open">
                {appointment.patient.name}
              </Link>
              <time dateTime={appointment.startsAt}>
                {formatDayTime(appointment.appointmentDate, appointment.appointmentTime)}
              </time>
              <span>
                <StatusBadge status={appointment.status} attended={appointment.attended} />
              </span>
              <span className={styles.fee}>
                {formatMoney(appointment.consultationFee, appointment.currency)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
