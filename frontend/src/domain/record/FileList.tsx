import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { downloadAttachment } from '@/api/records';
import type { Attachment } from '@/api/types';
import { formatDate, inZone } from '@/lib/dates';
import { formatFileSize } from '@/lib/fileSize';
import { Button } from '@/ui/Button';
import { Inline } from '@/ui/Inline';
import { DownloadIcon, PictureIcon } from '@/ui/icons';
import { RecordIcon } from '@/ui/pageIcons';
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
  const { t } = useLingui();
  const save = useDownload(t`We couldn’t download the file`);
  return (
    <Stack as="ul" gap={0} divided className={styles.files}>
      {files.map((file) => {
        const Icon = file.contentType.startsWith('image/') ? PictureIcon : RecordIcon;
        const { name } = file;
        const size = formatFileSize(file.size);
        const added = formatDate(inZone(file.addedAt, timeZone).date);
        return (
          <li key={file._id}>
            <Icon className="muted" />
            <p className={styles.fileName}>
              {name}
              <span className="block muted small">{t`${size}, added ${added}`}</span>
            </p>
            <Inline gap={0} align="stretch" className={styles.fileActions}>
              <Button
                variant="quiet"
                icon={<DownloadIcon size={20} />}
                busy={save.isPending}
                busyLabel={t`Downloading...`}
                aria-label={t`Download ${name}`}
                onClick={() => save.mutate(() => downloadAttachment(appointmentId, file))}
              >
                {t`Download`}
              </Button>
              {renderActions?.(file)}
            </Inline>
          </li>
        );
      })}
    </Stack>
  );
}
