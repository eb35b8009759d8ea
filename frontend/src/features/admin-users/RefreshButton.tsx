import type { UseQueryResult } from '@tanstack/react-query';
import { Button } from '@/ui/Button';

/** Refetch a list. */
export function RefreshButton({ list }: { list: UseQueryResult }) {
  return (
    <Button
      variant="secondary"
      busy={list.isFetching && !list.isLoading}
      busyLabel="Refreshing..."
      onClick={() => list.refetch()}
    >
      Refresh
    </Button>
  );
}
