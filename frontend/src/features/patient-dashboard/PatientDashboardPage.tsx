import { useUser } from '@/domain/session/session';
import { ProposalsToAnswer } from '@/domain/visit/ProposalsToAnswer';
import { paths } from '@/lib/paths';
import { PageHeading } from '@/ui/PageHeading';
import { NextVisit } from './NextVisit';
import styles from './PatientDashboardPage.module.css';
import { RecentVisits } from './RecentVisits';
import { Ways } from './Ways';

export default function PatientDashboardPage() {
  const { name } = useUser();
  return (
    <div className={styles.page}>
      <PageHeading title="Dashboard">Welcome, {name}</PageHeading>
      <ProposalsToAnswer />
      <NextVisit />
      <Ways />
      <RecentVisits allHref={paths.patientAppointments()} />
    </div>
  );
}
