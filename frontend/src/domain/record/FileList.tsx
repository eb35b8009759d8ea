import type { ReactNode } from 'react';
import { downloadAttachment } from '@/api/records';
import type { Attachment } from '@/api/types';
import { formatDate, inZone } from '@/lib/dates';
import { formatFileSize } from '@/lib/fileSize';
import { Button } from '@/ui/Button';
import { Inline } from '@/ui/Inline';
import { DownloadIcon, PictureIcon, RecordIcon } from '@/ui/icons';
import { Stack } from '@/ui/Stack';
import styles from './record.module.css';
import { useDownload } from './useDownload';

interface Props {
  appointmentId: string;
  files: Attachment[];
  timeZone: string;
  /** More actions for a file. */
  renderActions?: (file: Attachment) => ReactNode;
}

/** An appointment's files to download. */
export function FileList({ appointmentId, files, timeZone, renderActions }: Props) {
  const save = useDownload('Failed to download the file');
  return (
    <Stack as="ul" gap={0} divided className={styles.files}>
      {files.map((file) => {
        const Icon = file.contentType.startsWith('image/') ? PictureIcon : RecordIcon;
        return (
          <li key={file._id}>
            <Icon className="muted" />
            <p className={styles.fileName}>
              {file.name}
              <span className="block muted small">
                {formatFileSize(file.size)}, added {formatDate(inZone(file.addedAt, timeZone).date)}
              </span>
            </p>
            <Inline gap={0} align="stretch" className={styles.fileActions}>
              <Button
                variant="quiet"
                icon={<DownloadIcon size={20} />}
                busy={save.isPending}
                busyLabel="Downloading..."
                aria-label={`Download ${file.name}`}
                onClick={() => save.mutate(() => downloadAttachment(appointmentId, file))}
              >
                Download
              </Button>
              {renderActions?.(file)}
            </Inline>
          </li>
        );
      })}
    </Stack>
  );
}
