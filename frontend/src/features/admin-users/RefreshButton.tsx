import { Trans, useLingui } from '@lingui/react/macro';
import type { UseQueryResult } from '@tanstack/react-query';
import { Button } from '@/ui/Button';

/** Refetch a list. */
export function RefreshButton({ list }: { list: UseQueryResult }) {
  const { t } = useLingui();
  return (
    <Button
      variant="secondary"
      busy={list.isFetching && !list.isLoading}
      busyLabel={t`Refreshing...`}
      onClick={() => list.refetch()}
    >
      <Trans>Refresh</Trans>
    </Button>
  );
}
