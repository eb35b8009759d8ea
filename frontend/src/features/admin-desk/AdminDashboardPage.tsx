import { useQuery } from '@tanstack/react-query';
import { overviewQuery } from '@/api/people';
import type { Overview } from '@/api/types';
import { useUser } from '@/domain/session/session';
import { PageHeading } from '@/ui/PageHeading';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { ErrorState } from '@/ui/states';
import { Decisions } from './Decisions';
import styles from './dashboard.module.css';
import { Figures } from './Figures';
import { Health } from './Health';
import { Stranded } from './Stranded';

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
        <Decisions decisions={desk.decisions} />
        <Stranded visits={desk.stranded.appointments} total={desk.stranded.count} />
      </div>
      <div className={styles.beside}>
        <Health health={desk.health} />
        <Figures totals={desk.totals} comparison={desk.comparison} />
      </div>
    </div>
  );
}
