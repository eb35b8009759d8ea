import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { type ChangeEvent, useId, useRef, useState } from 'react';
import { ApiError, hasCode, messageOf } from '@/api/errors';
import { addAttachment, appointmentFileQuery, removeAttachment } from '@/api/records';
import type { Appointment, Attachment } from '@/api/types';
import { appointmentCan } from '@/domain/appointment/allowedActions';
import { FileList } from '@/domain/record/FileList';
import { UploadIcon } from '@/domain/staffIcons';
import { formatPercent } from '@/lib/counts';
import { DOCUMENT_KINDS } from '@/lib/documentRules';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { confirm } from '@/ui/confirm';
import { Inline } from '@/ui/Inline';
import { CloseIcon, WarningIcon } from '@/ui/icons';
import { Stack } from '@/ui/Stack';
import { toast } from '@/ui/toasts';
import styles from './appointment.module.css';
import { checkFile, MAX_FILES } from './attachmentUploads';

interface Upload {
  key: number;
  name: string;
  /** From 0 to 1; the server then still looks into the file. */
  share: number;
  problem: string;
  abort: AbortController;
}

/** An appointment's files, from the patient's booking and from the doctor. */
export function Attachments({
  appointment,
  files,
}: {
  appointment: Appointment;
  files: Attachment[];
}) {
  const hint = useId();
  const input = useRef<HTMLInputElement>(null);
  const updateFiles = useUpdateFiles(appointment._id);
  const { uploads, startUploads, removeUpload } = useUploads(appointment._id, updateFiles);
  const writable = appointmentCan.write(appointment);

  const onChoose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const newFiles = [...(target.files ?? [])];
    // Selecting the same file again must trigger a change event.
    target.value = '';
    return startUploads(newFiles, files.length);
  };

  const remove = async (file: Attachment) => {
    const { name } = file;
    const sure = await confirm({
      title: t`Remove ${name}?`,
      body: t`Neither you nor the patient will be able to open it.`,
      action: t`Remove file`,
      dismiss: t`Keep file`,
      tone: 'danger',
    });
    if (!sure) return;
    try {
      await removeAttachment(appointment._id, file._id);
      toast.success(t`${name} removed`);
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) {
        toast.error(messageOf(error, t`Failed to remove the file`));
        return;
      }
    }
    updateFiles((all) => all.filter(({ _id }) => _id !== file._id));
    input.current?.focus();
  };

  return (
    <Card as="section" gap={3} className={styles.card} aria-labelledby="files">
      <h2 id="files">
        <Trans>Files</Trans>
      </h2>
      {files.length === 0 && (
        <p className="muted">
          <Trans>No files yet</Trans>
        </p>
      )}
      <FileList
        appointmentId={appointment._id}
        files={files}
        timeZone={appointment.timeZone}
        renderActions={
          writable
            ? (file) => <RemoveButton name={file.name} onClick={() => remove(file)} />
            : undefined
        }
      />
      {uploads.length > 0 && (
        <Stack as="ul" gap={2} className={styles.uploads}>
          {uploads.map((upload) => (
            <li key={upload.key} data-refused={upload.problem ? '' : undefined}>
              <UploadRow
                upload={upload}
                onStop={() => (upload.problem ? removeUpload(upload.key) : upload.abort.abort())}
              />
            </li>
          ))}
        </Stack>
      )}
      {writable && (
        <Inline rowGap={2} gap={4} className={styles.filePicker}>
          <label className={styles.filePickerLabel}>
            <UploadIcon size={20} />
            <Trans>Add files</Trans>
            <input
              ref={input}
              type="file"
              multiple
              accept={DOCUMENT_KINDS.join(',')}
              aria-describedby={hint}
              className={styles.filePickerInput}
              onChange={onChoose}
            />
          </label>
          <p id={hint} className="muted small">
            <Trans>
              PDF, JPEG, PNG or WebP, up to 10 MB each and {MAX_FILES} in total. The patient can
              download them. We remove digital signatures and web links from PDFs.
            </Trans>
          </p>
        </Inline>
      )}
    </Card>
  );
}

function RemoveButton({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <Button variant="quiet" aria-label={t`Remove ${name}`} onClick={onClick}>
      <Trans>Remove</Trans>
    </Button>
  );
}

type UpdateFiles = (change: (files: Attachment[]) => Attachment[]) => void;

/** Return a function that updates the cached files of an appointment. */
function useUpdateFiles(appointmentId: string): UpdateFiles {
  const client = useQueryClient();
  return (change) =>
    client.setQueryData(
      appointmentFileQuery(appointmentId).queryKey,
      (file) => file && { ...file, attachments: change(file.attachments) },
    );
}

/** Upload files one after the other, with their progress and errors. */
function useUploads(appointmentId: string, updateFiles: UpdateFiles) {
  const nextKey = useRef(0);
  const [uploads, setUploads] = useState<Upload[]>([]);

  const updateUpload = (key: number, change: Partial<Upload>) =>
    setUploads((all) => all.map((each) => (each.key === key ? { ...each, ...change } : each)));
  const removeUpload = (key: number) => setUploads((all) => all.filter((each) => each.key !== key));

  const upload = async (file: File, index: number) => {
    const key = nextKey.current++;
    const abort = new AbortController();
    const problem = checkFile(file, index);
    setUploads((all) => [...all, { key, name: file.name, share: 0, problem, abort }]);
    if (problem) return;
    try {
      const added = await addAttachment(appointmentId, file, {
        signal: abort.signal,
        onProgress: (share) => updateUpload(key, { share }),
      });
      updateFiles((all) => [...all, added]);
      removeUpload(key);
      const { name } = added;
      toast.success(t`${name} added`);
    } catch (error) {
      if (hasCode(error, 'aborted')) removeUpload(key);
      else updateUpload(key, { problem: uploadErrorText(error) });
    }
  };

  const startUploads = async (newFiles: File[], fileCount: number) => {
    setUploads((all) => all.filter((each) => !each.problem));
    for (const [index, file] of newFiles.entries()) await upload(file, fileCount + index);
  };

  return { uploads, startUploads, removeUpload };
}

function UploadRow({ upload, onStop }: { upload: Upload; onStop: () => void }) {
  const { name, share, problem } = upload;
  const percent = formatPercent(share * 100);
  return (
    <>
      <Inline
        as="p"
        gap={2}
        align="start"
        wrap={false}
        className={styles.uploadText}
        role={problem ? 'alert' : undefined}
      >
        {problem && <WarningIcon size={20} />}
        <span>
          {problem ? (
            <Trans>
              <strong>{name}</strong>: {problem}
            </Trans>
          ) : share < 1 ? (
            <Trans>
              <strong>{name}</strong>, {percent}
            </Trans>
          ) : (
            <Trans>
              <strong>{name}</strong>, checking…
            </Trans>
          )}
        </span>
      </Inline>
      {!problem && (
        <progress value={share < 1 ? share : undefined} aria-label={t`Adding ${name}`} />
      )}
      <Button
        variant="quiet"
        icon={<CloseIcon size={18} />}
        aria-label={problem ? t`Dismiss ${name}` : t`Stop adding ${name}`}
        onClick={onStop}
      >
        {problem ? <Trans>Dismiss</Trans> : <Trans>Stop</Trans>}
      </Button>
    </>
  );
}

function uploadErrorText(error: unknown): string {
  const named = error instanceof ApiError && error.errors.file?.[0];
  return named || messageOf(error, t`We couldn’t add this file`);
}
