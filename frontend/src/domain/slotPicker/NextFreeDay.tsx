import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { Button } from '@/ui/Button';

interface Props {
  find: (from: string) => Promise<string | null>;
  from: string;
  onFound: (date: string) => void;
}

/** A button to the next free day beyond the loaded days. */
export function NextFreeDay({ find, from, onFound }: Props) {
  const { t } = useLingui();
  const search = useMutation({
    mutationFn: () => find(from),
    onSuccess: (date) => date && onFound(date),
  });
  if (search.data === null) return <p>{t`There are no later openings.`}</p>;
  return (
    <div>
      <Button
        variant="secondary"
        busy={search.isPending}
        busyLabel={t`Searching...`}
        onClick={() => search.mutate()}
      >
        <Trans>Show the next opening</Trans>
      </Button>
      {search.isError && <p role="alert">{t`We couldn’t load the openings. Please try again.`}</p>}
    </div>
  );
}
