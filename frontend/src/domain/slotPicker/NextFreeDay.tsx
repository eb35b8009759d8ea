import { useMutation } from '@tanstack/react-query';
import { Button } from '@/ui/Button';

interface Props {
  find: (from: string) => Promise<string | null>;
  from: string;
  onFound: (date: string) => void;
}

/** A button to the next free day beyond the loaded days. */
export function NextFreeDay({ find, from, onFound }: Props) {
  const search = useMutation({
    mutationFn: () => find(from),
    onSuccess: (date) => date && onFound(date),
  });
  if (search.data === null) return <p>There are no free times after that, either.</p>;
  return (
    <div>
      <Button
        variant="secondary"
        busy={search.isPending}
        busyLabel="Looking..."
        onClick={() => search.mutate()}
      >
        Show the next free day
      </Button>
      {search.isError && <p role="alert">We could not load the free times. Please try again.</p>}
    </div>
  );
}
