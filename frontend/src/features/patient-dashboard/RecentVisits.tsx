import { StatusBadge } from '@/domain/StatusBadge';
import { CalendarArt } from '@/domain/visit/CalendarArt';
import { Visits } from '@/domain/visit/Visits';
import { cx } from '@/lib/cx';
import { formatDayTime, zoneLabel } from '@/lib/dates';
import { formatMoney } from '@/lib/money';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';
import { Link } from '@/ui/Link';
import { EmptyState } from '@/ui/states';
import styles from './PatientDashboardPage.module.css';

/** How many the dashboard shows. */
export const RECENT = { pageSize: 5 };

/** The latest appointments by date, the furthest ahead first. */
export function RecentVisits({ allHref }: { allHref: string }) {
  return (
    <section className="stack" aria-labelledby="recent">
      <div className={styles.head}>
        <h2 id="recent">Recent appointments</h2>
        <LinkButton variant="quiet" href={allHref}>
          View All
        </LinkButton>
      </div>
      <Visits
        query={RECENT}
        rowHeight={96}
        empty={
          <EmptyState
            art={<CalendarArt />}
            title="No appointments yet"
            action={<LinkButton href={paths.findDoctors()}>Book Your First Appointment</LinkButton>}
          >
            When you book a visit, it is kept here with its date, time and status.
          </EmptyState>
        }
      >
        {(visits) => (
          <ul className={styles.rows}>
            {visits.map((visit) => (
              <li key={visit._id} className={styles.row}>
                <Link href={paths.patientAppointment(visit._id)} className={styles.name}>
                  {doctorName(visit.doctor.name)}
                </Link>
                <span className={styles.badge}>
                  <StatusBadge status={visit.status} />
                </span>
                <div className={styles.facts}>
                  <p className="muted">{visit.doctor.specialization}</p>
                  <p>
                    <time dateTime={visit.startsAt} className={styles.together}>
                      {formatDayTime(visit.appointmentDate, visit.appointmentTime)}
                    </time>{' '}
                    <span className={cx(styles.together, 'muted small')}>
                      {zoneLabel(visit.timeZone)}
                    </span>
                  </p>
                </div>
                <span className={styles.fee}>
                  {formatMoney(visit.consultationFee, visit.currency)}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Visits>
    </section>
  );
}
