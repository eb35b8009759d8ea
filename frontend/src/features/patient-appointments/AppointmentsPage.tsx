import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useSearchParams } from 'react-router-dom';
import { appointmentQuery, appointmentsQuery } from '@/api/queries';
import type { AppointmentStatus } from '@/api/types';
import { AppointmentList } from '@/domain/appointment/AppointmentList';
import { CalendarIllustration } from '@/domain/appointment/CalendarIllustration';
import { PendingProposals, useUpcomingAppointments } from '@/domain/appointment/PendingProposals';
import { paths } from '@/lib/paths';
import { choiceParam, pageParam } from '@/lib/searchParams';
import { LinkButton } from '@/ui/Button';
import { EmptyState } from '@/ui/EmptyState';
import { PageHeading } from '@/ui/PageHeading';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { Stack } from '@/ui/Stack';
import { Tabs } from '@/ui/Tabs';
import { Toolbar } from '@/ui/Toolbar';
import { AppointmentCard } from './AppointmentCard';
import { StatusFilter } from './StatusFilter';

// Only after booking.
const BookedPanel = lazy(() => import('./BookedPanel'));

const SCOPES = ['upcoming', 'past'] as const;
type Scope = (typeof SCOPES)[number];

/**
 * The possible statuses before and after the time of an appointment. Past appointments that are
 * "confirmed" have not been completed by the doctor yet; expired requests are cancelled.
 */
const STATUSES: Record<Scope, readonly AppointmentStatus[]> = {
  upcoming: ['pending', 'confirmed'],
  past: ['completed', 'cancelled', 'confirmed'],
};

const NONE_WITH_STATUS: Record<AppointmentStatus, MessageDescriptor> = {
  pending: msg`No pending appointments`,
  confirmed: msg`No confirmed appointments`,
  completed: msg`No completed appointments`,
  cancelled: msg`No cancelled appointments`,
};

const PAGE_SIZE = 10;
const ROW_HEIGHT = 320;

export default function AppointmentsPage() {
  const { t } = useLingui();
  const [params] = useSearchParams();
  const scope = choiceParam(params, 'scope', SCOPES, 'upcoming');
  const status = choiceParam(params, 'status', STATUSES[scope], undefined);
  const booked = params.get('booked');
  const query = { scope, status, page: pageParam(params), pageSize: PAGE_SIZE };
  // Proposals are rendered before the list, so that the list does not jump; both load in parallel.
  usePrefetchQuery(appointmentsQuery(query));
  const { ahead, waiting } = useUpcomingAppointments();
  const news = useQuery({ ...appointmentQuery(booked ?? ''), enabled: booked !== null });
  const newsAwaited = news.isLoading && news.errorUpdateCount === 0;
  const address = (query: { status?: string; page?: number }) =>
    paths.patientAppointments({ scope: scope === 'past' ? scope : undefined, ...query });

  const skeleton = (
    <Skeletons>
      <Skeleton height={ROW_HEIGHT} />
    </Skeletons>
  );

  return (
    <Stack gap={5} className="column">
      <PageHeading
        actions={<LinkButton href={paths.findDoctors()}>{t`Book an appointment`}</LinkButton>}
      >
        {t`My appointments`}
      </PageHeading>
      {waiting || newsAwaited ? (
        skeleton
      ) : (
        // The list waits for the panel above it, so that it does not jump.
        <Suspense fallback={skeleton}>
          {news.data && <BookedPanel appointment={news.data} />}
          <PendingProposals ahead={ahead} />
          <Toolbar gap={4}>
            <Tabs
              label={t`Which appointments`}
              current={scope}
              tabs={[
                { key: 'upcoming', label: t`Upcoming`, href: paths.patientAppointments() },
                { key: 'past', label: t`Past`, href: paths.patientAppointments({ scope: 'past' }) },
              ]}
            />
            <StatusFilter statuses={STATUSES[scope]} current={status} address={address} />
          </Toolbar>
          <AppointmentList
            query={query}
            href={(page) => address({ status, page })}
            rowHeight={ROW_HEIGHT}
            empty={<EmptyList scope={scope} status={status} />}
          >
            {(appointments) => (
              <Stack as="ul" gap={5}>
                {appointments.map((appointment) => (
                  <AppointmentCard key={appointment._id} appointment={appointment} />
                ))}
              </Stack>
            )}
          </AppointmentList>
        </Suspense>
      )}
    </Stack>
  );
}

function EmptyList({ scope, status }: { scope: Scope; status: AppointmentStatus | undefined }) {
  const { t } = useLingui();
  if (status) {
    return (
      <EmptyState
        title={t(NONE_WITH_STATUS[status])}
        action={
          <LinkButton
            variant="secondary"
            href={paths.patientAppointments({ scope: scope === 'past' ? scope : undefined })}
          >
            {t`Show all`}
          </LinkButton>
        }
      />
    );
  }
  if (scope === 'past') {
    return (
      <EmptyState title={t`No past appointments`}>
        {t`Appointments move here once they’re over.`}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      art={<CalendarIllustration />}
      title={t`No upcoming appointments`}
      action={<LinkButton href={paths.findDoctors()}>{t`Find a doctor`}</LinkButton>}
    >
      {t`Appointments you book will show up here.`}
    </EmptyState>
  );
}
