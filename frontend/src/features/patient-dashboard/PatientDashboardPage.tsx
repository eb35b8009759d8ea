import { useLingui } from '@lingui/react/macro';
import { usePrefetchQuery } from '@tanstack/react-query';
import { appointmentsQuery } from '@/api/queries';
import { PendingProposals, useUpcomingAppointments } from '@/domain/appointment/PendingProposals';
import { useUser } from '@/domain/session/session';
import { paths } from '@/lib/paths';
import { PageHeading } from '@/ui/PageHeading';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { Stack } from '@/ui/Stack';
import { NextAppointment } from './NextAppointment';
import { QuickActions } from './QuickActions';
import { RECENT_APPOINTMENTS_QUERY, RecentAppointments } from './RecentAppointments';

export default function PatientDashboardPage() {
  const { t } = useLingui();
  const { name } = useUser();
  const { ahead, waiting } = useUpcomingAppointments();
  const [next] = ahead;
  // Fetched in parallel with the data above.
  usePrefetchQuery(appointmentsQuery(RECENT_APPOINTMENTS_QUERY));
  return (
    <Stack gap={6} className="column">
      <PageHeading title={t`Dashboard`}>{t`Welcome, ${name}`}</PageHeading>
      {waiting ? (
        <Skeletons>
          <Skeleton height={220} />
        </Skeletons>
      ) : (
        <>
          <PendingProposals ahead={ahead} />
          {next && <NextAppointment appointment={next} />}
          <QuickActions />
          <RecentAppointments allHref={paths.patientAppointments()} />
        </>
      )}
    </Stack>
  );
}
