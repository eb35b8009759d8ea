import { Trans, useLingui } from '@lingui/react/macro';
import { downloadPrescription } from '@/api/records';
import { Button } from '@/ui/Button';
import { DownloadIcon } from '@/ui/icons';
import { useDownload } from './useDownload';

/** The prescription as a PDF, to take to the pharmacy. */
export function PrescriptionButton({
  appointmentId,
  about,
}: {
  appointmentId: string;
  about?: string;
}) {
  const { t } = useLingui();
  const save = useDownload(t`We couldn’t download the prescription`);
  return (
    <Button
      variant="secondary"
      icon={<DownloadIcon size={20} />}
      busy={save.isPending}
      busyLabel={t`Downloading...`}
      onClick={() => save.mutate(() => downloadPrescription(appointmentId))}
      data-print="no"
    >
      {about ? (
        <Trans>
          Download prescription (PDF)<span className="visually-hidden"> of {about}</span>
        </Trans>
      ) : (
        t`Download prescription (PDF)`
      )}
    </Button>
  );
}
