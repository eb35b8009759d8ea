import { useQueryClient } from '@tanstack/react-query';
import { type ChangeEvent, useId, useRef, useState } from 'react';
import { ApiError, hasCode, messageOf } from '@/api/errors';
import { addAttachment, appointmentFileQuery, removeAttachment } from '@/api/records';
import type { Appointment, Attachment } from '@/api/types';
import { appointmentCan } from '@/domain/appointment/allowedActions';
import { FileList } from '@/domain/record/FileList';
import { UploadIcon } from '@/domain/staffIcons';
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
    const sure = await confirm({
      title: `Remove ${file.name}?`,
      body: 'Neither you nor the patient can open it afterwards.',
      action: 'Remove file',
      dismiss: 'Keep file',
      tone: 'danger',
    });
    if (!sure) return;
    try {
      await removeAttachment(appointment._id, file._id);
      toast.success(`${file.name} removed`);
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) {
        toast.error(messageOf(error, 'Failed to remove the file'));
        return;
      }
    }
    updateFiles((all) => all.filter(({ _id }) => _id !== file._id));
    input.current?.focus();
  };

  return (
    <Card as="section" gap={3} className={styles.card} aria-labelledby="files">
      <h2 id="files">Files</h2>
      {files.length === 0 && <p className="muted">Nothing added</p>}
      <FileList
        appointmentId={appointment._id}
        files={files}
        timeZone={appointment.timeZone}
        renderActions={
          writable
            ? (file) => (
                <Button
                  variant="quiet"
                  aria-label={`Remove ${file.name}`}
                  onClick={() => remove(file)}
                >
                  Remove
                </Button>
              )
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
            Add files
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
            PDF, JPEG, PNG or WebP, at most 10 MB each and {MAX_FILES} in all. The patient can
            download them. Digital signatures and web links in a PDF do not survive.
          </p>
        </Inline>
      )}
    </Card>
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
      toast.success(`${added.name} added`);
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
  const percent = Math.round(share * 100);
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
          <strong>{name}</strong>
          {problem ? `: ${problem}` : share < 1 ? `, ${percent}%` : ', being checked…'}
        </span>
      </Inline>
      {!problem && <progress value={share < 1 ? share : undefined} aria-label={`Adding ${name}`} />}
      <Button
        variant="quiet"
        icon={<CloseIcon size={18} />}
        aria-label={problem ? `Dismiss ${name}` : `Stop adding ${name}`}
        onClick={onStop}
      >
        {problem ? 'Dismiss' : 'Stop'}
      </Button>
    </>
  );
}

function uploadErrorText(error: unknown): string {
  const named = error instanceof ApiError && error.errors.file?.[0];
  return named || messageOf(error, 'This file could not be added');
}
