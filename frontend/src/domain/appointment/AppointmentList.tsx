import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AppointmentsQuery } from '@/api/queries';
import { appointmentsQuery } from '@/api/queries';
import type { Appointment, Page } from '@/api/types';
import { LinkButton } from '@/ui/Button';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorState } from '@/ui/ErrorState';
import { Pagination } from '@/ui/Pagination';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { Stack } from '@/ui/Stack';

interface Props {
  query: AppointmentsQuery;
  /** Explains an empty list and what to do. */
  empty: ReactNode;
  /** The URL of a page; without it the list has only one page. */
  href?: (page: number) => string;
  /** The height in pixels and the number of skeleton rows. */
  rowHeight: number;
  rows?: number;
  children: (appointments: Appointment[], pagination: Page) => ReactNode;
}

/** A list of appointments: loading, failed, empty or with rows. */
export function AppointmentList({ query, empty, href, rowHeight, rows = 3, children }: Props) {
  const { t } = useLingui();
  const list = useQuery(appointmentsQuery(query));

  if (list.isLoadingError) {
    return <ErrorState title={t`Failed to fetch appointments`} onRetry={() => list.refetch()} />;
  }
  // Do not show the rows of another tab or page while loading.
  if (!list.data || list.isPlaceholderData) {
    return (
      <Skeletons count={rows}>
        <Skeleton height={rowHeight} />
      </Skeletons>
    );
  }
  const { appointments, pagination } = list.data;
  if (appointments.length === 0) {
    return pagination.page > 1 && href ? (
      <EmptyState
        title={t`There are no more appointments`}
        action={
          <LinkButton variant="secondary" href={href(1)}>
            <Trans>Go to the first page</Trans>
          </LinkButton>
        }
      />
    ) : (
      empty
    );
  }
  return (
    <Stack gap={5}>
      {children(appointments, pagination)}
      {href && (
        <div data-print="no">
          <Pagination page={pagination.page} hasNext={pagination.hasNext} href={href} />
        </div>
      )}
    </Stack>
  );
}
