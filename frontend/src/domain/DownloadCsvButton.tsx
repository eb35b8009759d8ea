import { Trans, useLingui } from '@lingui/react/macro';
import { download } from '@/api/fileTransfer';
import { Button } from '@/ui/Button';
import { DownloadIcon } from '@/ui/icons';
import { useDownload } from './record/useDownload';

/** Download a CSV file from the server. */
export function DownloadCsvButton({
  path,
  name,
  query,
}: {
  path: string;
  name: string;
  /** The filters of the list on the page. */
  query?: Record<string, string | undefined>;
}) {
  const { t } = useLingui();
  const save = useDownload(t`We couldn’t prepare the file`);
  return (
    <Button
      variant="secondary"
      icon={<DownloadIcon size={20} />}
      busy={save.isPending}
      busyLabel={t`Preparing...`}
      onClick={() => save.mutate(() => download(path, name, { query }))}
    >
      <Trans>Download CSV</Trans>
    </Button>
  );
}
