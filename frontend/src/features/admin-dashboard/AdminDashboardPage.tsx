import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { Overview } from '@/api/types';
import { overviewQuery } from '@/api/users';
import { useUser } from '@/domain/session/session';
import { ErrorState } from '@/ui/ErrorState';
import { Grid } from '@/ui/Grid';
import { PageHeading } from '@/ui/PageHeading';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { Stack } from '@/ui/Stack';
import { AtRiskAppointments } from './AtRiskAppointments';
import styles from './dashboard.module.css';
import { Figures } from './Figures';
import { Health } from './Health';
import { PendingDecisions } from './PendingDecisions';

/** The admin's dashboard: pending decisions, system health, figures. */
export default function AdminDashboardPage() {
  const { t } = useLingui();
  const { name } = useUser();
  const overview = useQuery(overviewQuery);
  return (
    <Stack gap={5} className={styles.page}>
      <PageHeading title={t`Dashboard`}>{t`Welcome, ${name}`}</PageHeading>
      {overview.data ? (
        <DashboardSections overview={overview.data} />
      ) : overview.isError ? (
        <ErrorState
          title={t`We couldn’t load your dashboard`}
          onRetry={() => overview.refetch()}
          busy={overview.isFetching}
        />
      ) : (
        <Skeletons count={1}>
          <Grid gap={6} align="start" className={styles.columns}>
            <Stack>
              {[0, 1, 2, 3].map((key) => (
                <Skeleton key={key} height={76} />
              ))}
            </Stack>
            <Skeleton height={320} />
          </Grid>
        </Skeletons>
      )}
    </Stack>
  );
}

function DashboardSections({ overview }: { overview: Overview }) {
  return (
    <Grid gap={6} align="start" className={styles.columns}>
      <Stack gap={5}>
        <PendingDecisions decisions={overview.decisions} totals={overview.totals} />
        <AtRiskAppointments
          appointments={overview.stranded.appointments}
          total={overview.stranded.count}
        />
      </Stack>
      <Stack gap={5}>
        <Health health={overview.health} />
        <Figures totals={overview.totals} comparison={overview.comparison} />
      </Stack>
    </Grid>
  );
}
