import { StatusBadge } from '@/domain/StatusBadge';
import { useUser } from '@/domain/session/session';
import { Visits } from '@/domain/visit/Visits';
import { formatDay } from '@/lib/dates';
import { formatMoney } from '@/lib/money';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';
import { Link } from '@/ui/Link';
import { PageHeading } from '@/ui/PageHeading';
import { EmptyState } from '@/ui/states';
import { Approval } from './Approval';
import { AHEAD, Attention, others, useAttention } from './Attention';
import styles from './desk.module.css';
import { VisitCard } from './VisitCard';

/** How many the dashboards show of what is recent. */
const RECENT = 5;
/** More of what waits for an answer than of what only comes next. */
const WAITING = 10;
const NEXT = 5;

export default function DoctorDashboardPage() {
  const user = useUser();
  const asking = useAttention();
  return (
    <div className={styles.page}>
      <PageHeading
        title="Dashboard"
        actions={
          <>
            <LinkButton href={paths.doctorAppointments()}>View Appointments</LinkButton>
            <LinkButton variant="secondary" href={paths.doctorSchedule}>
              Schedule
            </LinkButton>
            <LinkButton variant="secondary" href={paths.profile}>
              Edit Profile
            </LinkButton>
          </>
        }
      >
        Welcome, {doctorName(user.name)}
      </PageHeading>
      {user.role === 'doctor' && <Approval approval={user.approval} />}

      <Attention visits={asking} brief />

      <div className={styles.columns}>
        <section className="stack" aria-labelledby="waiting">
          <div className={styles.sectionHead}>
            <h2 id="waiting">Waiting for your answer</h2>
            <Link href={paths.doctorAppointments({ status: 'pending' })}>All pending</Link>
          </div>
          <Visits
            query={{ scope: 'upcoming', status: 'pending', pageSize: WAITING }}
            rowHeight={200}
            rows={2}
            empty={
              <EmptyState title="Nobody is waiting">
                New requests of patients appear here.
              </EmptyState>
            }
          >
            {(visits) => (
              <ul className={styles.list}>
                {visits.map((visit) => (
                  <VisitCard key={visit._id} visit={visit} brief />
                ))}
              </ul>
            )}
          </Visits>
        </section>

        <section className="stack" aria-labelledby="upcoming">
          <div className={styles.sectionHead}>
            <h2 id="upcoming">Upcoming visits</h2>
            <Link href={paths.doctorAppointments({ status: 'confirmed' })}>All confirmed</Link>
          </div>
          <Visits query={AHEAD} rowHeight={200} rows={2} empty={<NothingAhead />}>
            {(visits) => {
              // Those who ask something stand above.
              const quiet = others(visits, asking).slice(0, NEXT);
              if (quiet.length === 0) return <NothingAhead />;
              return (
                <ul className={styles.list}>
                  {quiet.map((visit) => (
                    <VisitCard key={visit._id} visit={visit} brief />
                  ))}
                </ul>
              );
            }}
          </Visits>
        </section>
      </div>

      <section className="stack" aria-labelledby="recent">
        <div className={styles.sectionHead}>
          <h2 id="recent">Recent appointments</h2>
          <Link href={paths.doctorAppointments()}>View All</Link>
        </div>
        <Visits
          query={{ pageSize: RECENT }}
          rowHeight={44}
          rows={RECENT}
          empty={
            <EmptyState title="No appointments yet">
              Every appointment of your patients is kept here.
            </EmptyState>
          }
        >
          {(visits) => (
            <ul className={styles.rows}>
              {visits.map((visit) => (
                <li key={visit._id} className={styles.row}>
                  <span className={styles.rowName}>{visit.patient.name}</span>
                  <time dateTime={visit.startsAt}>
                    {formatDay(visit.appointmentDate)}, {visit.appointmentTime}
                  </time>
                  <span>
                    <StatusBadge status={visit.status} />
                  </span>
                  <span className={styles.rowEnd}>
                    {formatMoney(visit.consultationFee, visit.currency)}
                  </span>
                </li>
              ))}
            </ul>
          )}
        </Visits>
      </section>
    </div>
  );
}

function NothingAhead() {
  return <EmptyState title="No confirmed visits ahead">Requests you confirm move here.</EmptyState>;
}
