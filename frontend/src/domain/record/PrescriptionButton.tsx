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
  const save = useDownload('Failed to download the prescription');
  return (
    <Button
      variant="secondary"
      icon={<DownloadIcon size={20} />}
      busy={save.isPending}
      busyLabel="Downloading..."
      onClick={() => save.mutate(() => downloadPrescription(appointmentId))}
      data-print="no"
    >
      Download prescription (PDF)
      {about && <span className="visually-hidden"> of {about}</span>}
    </Button>
  );
}
