import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import { dashboardQuery } from '@/api/doctorDesk';
import { ShortcutsDialog } from '@/domain/doctor/ShortcutsDialog';
import { useUser } from '@/domain/session/session';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';
import { ErrorState } from '@/ui/ErrorState';
import { PageHeading } from '@/ui/PageHeading';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
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
  const user = useUser();
  const { data, isLoadingError, isFetching, refetch } = useQuery(dashboardQuery);
  const navigate = useNavigate();
  const go = (view: 'list' | 'day' | 'week') => () => navigate(paths.doctorAppointments({ view }));
  const zone = user.role === 'doctor' ? user.timeZone : 'UTC';
  return (
    <div className={styles.page}>
      <PageHeading
        title="Dashboard"
        actions={
          <>
            <LinkButton href={paths.doctorAppointments()}>View Appointments</LinkButton>
            <LinkButton variant="secondary" href={paths.doctorPatients()}>
              Patients
            </LinkButton>
            <LinkButton variant="secondary" href={paths.profile}>
              Profile
            </LinkButton>
          </>
        }
      >
        Welcome, {doctorName(user.name)}
      </PageHeading>
      {user.role === 'doctor' && <ApprovalBanner approval={user.approval} />}
      {isLoadingError ? (
        <ErrorState
          title="We could not load your day"
          onRetry={() => refetch()}
          busy={isFetching}
        />
      ) : data ? (
        <div className={styles.columns}>
          <div className={styles.requests}>
            <PendingRequests waiting={data.waiting} asking={data.asking} totals={data.totals} />
            <AwaitingPatient
              appointments={data.waitingForPatient}
              total={data.totals.waitingForPatient}
            />
          </div>
          <div className={styles.day}>
            <NowAndNext appointments={data.next} />
            <Today appointments={data.today} totals={data.totals} zone={zone} />
            <AwaitingCompletion appointments={data.unfinished} total={data.totals.unfinished} />
            <Figures totals={data.totals} />
            <RecentActivity appointments={data.recent} />
          </div>
        </div>
      ) : (
        <Waiting />
      )}
      <ShortcutsDialog acts={{ list: go('list'), day: go('day'), week: go('week') }} />
    </div>
  );
}

function Waiting() {
  return (
    <Skeletons count={1}>
      <div className={styles.columns}>
        <div className="stack">
          <Skeleton width="70%" height={28} />
          <Skeleton height={190} />
          <Skeleton height={190} />
        </div>
        <div className="stack">
          <Skeleton height={132} />
          <Skeleton width="40%" height={28} />
          <Skeleton height={260} />
        </div>
      </div>
    </Skeletons>
  );
}
