import type { UseQueryResult } from '@tanstack/react-query';
import { Button } from '@/ui/Button';

/** Ask for a list anew. */
export function Refresh({ list }: { list: UseQueryResult }) {
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
