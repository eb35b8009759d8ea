import { useQuery } from '@tanstack/react-query';
import type { Overview } from '@/api/types';
import { overviewQuery } from '@/api/users';
import { useUser } from '@/domain/session/session';
import { ErrorState } from '@/ui/ErrorState';
import { PageHeading } from '@/ui/PageHeading';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { AtRiskAppointments } from './AtRiskAppointments';
import styles from './dashboard.module.css';
import { Figures } from './Figures';
import { Health } from './Health';
import { PendingDecisions } from './PendingDecisions';

/** The admin's desk: what waits for a decision first, then how the system does, then figures. */
export default function AdminDashboardPage() {
  const { name } = useUser();
  const desk = useQuery(overviewQuery);
  return (
    <div className={styles.page}>
      <PageHeading title="Dashboard">Welcome, {name}</PageHeading>
      {desk.data ? (
        <Desk desk={desk.data} />
      ) : desk.isError ? (
        <ErrorState
          title="We could not load your desk"
          onRetry={() => desk.refetch()}
          busy={desk.isFetching}
        />
      ) : (
        <Skeletons count={1}>
          <div className={styles.columns}>
            <div className="stack">
              {[0, 1, 2, 3].map((key) => (
                <Skeleton key={key} height={76} />
              ))}
            </div>
            <Skeleton height={320} />
          </div>
        </Skeletons>
      )}
    </div>
  );
}

function Desk({ desk }: { desk: Overview }) {
  return (
    <div className={styles.columns}>
      <div className={styles.waiting}>
        <PendingDecisions decisions={desk.decisions} totals={desk.totals} />
        <AtRiskAppointments appointments={desk.stranded.appointments} total={desk.stranded.count} />
      </div>
      <div className={styles.beside}>
        <Health health={desk.health} />
        <Figures totals={desk.totals} comparison={desk.comparison} />
      </div>
    </div>
  );
}
