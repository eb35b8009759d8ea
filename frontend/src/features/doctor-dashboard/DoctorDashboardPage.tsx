import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import { dashboardQuery } from '@/api/doctorDesk';
import { ShortcutsDialog } from '@/domain/doctor/ShortcutsDialog';
import { useUser } from '@/domain/session/session';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';
import { ErrorState } from '@/ui/ErrorState';
import { Grid } from '@/ui/Grid';
import { PageHeading } from '@/ui/PageHeading';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { Stack } from '@/ui/Stack';
import { ApprovalBanner } from './ApprovalBanner';
import { AwaitingCompletion } from './AwaitingCompletion';
import { AwaitingPatient } from './AwaitingPatient';
import styles from './dashboard.module.css';
import { Figures } from './Figures';
import { NowAndNext } from './NowAndNext';
import { PendingRequests } from './PendingRequests';
import { RecentActivity } from './RecentActivity';
import { Today } from './Today';

export default function DoctorDashboardPage() {
  const { t } = useLingui();
  const user = useUser();
  const { data, isLoadingError, isFetching, refetch } = useQuery(dashboardQuery);
  const navigate = useNavigate();
  const go = (view: 'list' | 'day' | 'week') => () => navigate(paths.doctorAppointments({ view }));
  const zone = user.role === 'doctor' ? user.timeZone : 'UTC';
  const name = doctorName(user.name);
  return (
    <Stack gap={5} className={styles.page}>
      <PageHeading
        title={t`Dashboard`}
        actions={
          <>
            <LinkButton href={paths.doctorAppointments()}>
              <Trans>View Appointments</Trans>
            </LinkButton>
            <LinkButton variant="secondary" href={paths.doctorPatients()}>
              <Trans>Patients</Trans>
            </LinkButton>
            <LinkButton variant="secondary" href={paths.profile}>
              <Trans>Profile</Trans>
            </LinkButton>
          </>
        }
      >
        <Trans>Welcome, {name}</Trans>
      </PageHeading>
      {user.role === 'doctor' && <ApprovalBanner approval={user.approval} />}
      {isLoadingError ? (
        <ErrorState
          title={t`We couldn’t load your day`}
          onRetry={() => refetch()}
          busy={isFetching}
        />
      ) : data ? (
        <Grid gap={6} align="start" className={styles.columns}>
          <Stack gap={5}>
            <PendingRequests waiting={data.waiting} asking={data.asking} totals={data.totals} />
            <AwaitingPatient
              appointments={data.waitingForPatient}
              total={data.totals.waitingForPatient}
            />
          </Stack>
          <Stack gap={5}>
            <NowAndNext appointments={data.next} />
            <Today appointments={data.today} totals={data.totals} zone={zone} />
            <AwaitingCompletion appointments={data.unfinished} total={data.totals.unfinished} />
            <Figures totals={data.totals} />
            <RecentActivity appointments={data.recent} />
          </Stack>
        </Grid>
      ) : (
        <DashboardSkeleton />
      )}
      <ShortcutsDialog handlers={{ list: go('list'), day: go('day'), week: go('week') }} />
    </Stack>
  );
}

function DashboardSkeleton() {
  return (
    <Skeletons count={1}>
      <Grid gap={6} align="start" className={styles.columns}>
        <Stack>
          <Skeleton width="70%" height={28} />
          <Skeleton height={190} />
          <Skeleton height={190} />
        </Stack>
        <Stack>
          <Skeleton height={132} />
          <Skeleton width="40%" height={28} />
          <Skeleton height={260} />
        </Stack>
      </Grid>
    </Skeletons>
  );
}
