import { Trans, useLingui } from '@lingui/react/macro';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Page } from '@/api/types';
import { formatPageRange } from '@/lib/counts';
import { LinkButton } from '@/ui/Button';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorState } from '@/ui/ErrorState';
import { Pagination } from '@/ui/Pagination';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { Stack } from '@/ui/Stack';

interface Props<D> {
  list: UseQueryResult<D>;
  rows: (data: D) => readonly unknown[];
  /** "We couldn’t load the appointments". */
  failure: string;
  /** Explains an empty list and what to do. */
  empty: ReactNode;
  href: (page: number) => string;
  /** The height in pixels of a skeleton row. */
  rowHeight: number;
  /** The layout of the skeleton rows, if they are not stacked. */
  renderSkeletons?: (bar: ReactNode) => ReactNode;
  /** Content above the rows; by default the counts. */
  renderHeader?: (range: string) => ReactNode;
  children: (data: D) => ReactNode;
}

/** A page of a long list in its four states, with counts and pagination. */
export function PaginatedList<D extends { pagination: Page }>(props: Props<D>) {
  const { t } = useLingui();
  const { list, rowHeight, href } = props;
  const { data } = list;
  if (list.isLoadingError) {
    return (
      <ErrorState title={props.failure} onRetry={() => list.refetch()} busy={list.isFetching} />
    );
  }
  if (!data) {
    const bar = <Skeleton height={rowHeight} />;
    return props.renderSkeletons ? (
      <Skeletons count={1}>{props.renderSkeletons(bar)}</Skeletons>
    ) : (
      <Skeletons count={8}>{bar}</Skeletons>
    );
  }
  const shown = props.rows(data).length;
  const { page, hasNext } = data.pagination;
  if (shown === 0) {
    if (page === 1) return props.empty;
    return (
      <EmptyState
        title={t`This page is empty`}
        action={
          <LinkButton variant="secondary" href={href(1)}>
            <Trans>Go to the first page</Trans>
          </LinkButton>
        }
      />
    );
  }
  const range = formatPageRange(data.pagination, shown);
  return (
    <Stack gap={5}>
      <Stack gap={2} data-stale={list.isPlaceholderData ? '' : undefined}>
        {props.renderHeader ? (
          props.renderHeader(range)
        ) : (
          <p role="status" className="muted">
            {range}
          </p>
        )}
        {props.children(data)}
      </Stack>
      <div data-print="no">
        <Pagination page={page} hasNext={hasNext} href={href} />
      </div>
    </Stack>
  );
}
