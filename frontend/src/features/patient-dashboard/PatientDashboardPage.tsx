import { usePrefetchQuery } from '@tanstack/react-query';
import { appointmentsQuery } from '@/api/queries';
import { useUser } from '@/domain/session/session';
import { ProposalsToAnswer, useVisitsAhead } from '@/domain/visit/ProposalsToAnswer';
import { paths } from '@/lib/paths';
import { PageHeading } from '@/ui/PageHeading';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { NextVisit } from './NextVisit';
import styles from './PatientDashboardPage.module.css';
import { RECENT, RecentVisits } from './RecentVisits';
import { Ways } from './Ways';

export default function PatientDashboardPage() {
  const { name } = useUser();
  const { ahead, waiting } = useVisitsAhead();
  const [next] = ahead;
  // Asked for beside what stands above, not after.
  usePrefetchQuery(appointmentsQuery(RECENT));
  return (
    <div className={styles.page}>
      <PageHeading title="Dashboard">Welcome, {name}</PageHeading>
      {waiting ? (
        <Skeletons>
          <Skeleton height={220} />
        </Skeletons>
      ) : (
        <>
          <ProposalsToAnswer ahead={ahead} />
          {next && <NextVisit visit={next} />}
          <Ways />
          <RecentVisits allHref={paths.patientAppointments()} />
        </>
      )}
    </div>
  );
}
