import { queryOptions } from '@tanstack/react-query';
import { type CallOptions, call, send } from './client';
import type { StatusChange } from './endpoints';
import { download, upload } from './fileTransfer';
import { keepPreviousData } from './queries';
import type {
  Appointment,
  AppointmentFile,
  AppointmentRecord,
  Attachment,
  Draft,
  DraftContent,
  Page,
  Reader,
  RecordContent,
  WireDraft,
} from './types';

/** What is written about an appointment: its record with versions, the draft, files, and who read it. */

type Signal = Pick<CallOptions, 'signal'>;
type Paged = { page?: number; pageSize?: number };

const of = (id: string) => `/appointments/${encodeURIComponent(id)}`;

type WireFile = Omit<AppointmentFile, 'draft'> & { draft: WireDraft | null };

/** A draft with all its parts: what another client left out is empty. */
export function completeDraft({ content, ...draft }: WireDraft): Draft {
  const { diagnosis = '', notes = '', prescription, followUpDays = null } = content;
  const items = (prescription?.items ?? []).map((item) => ({
    medicine: '',
    dose: '',
    frequency: '',
    days: null,
    ...item,
  }));
  return {
    ...draft,
    content: {
      diagnosis,
      notes,
      followUpDays,
      prescription: { notes: prescription?.notes ?? '', items },
    },
  };
}

const getAppointment = (id: string, options?: Signal): Promise<AppointmentFile> =>
  call<WireFile>(`${of(id)}/visit`, options).then((file) => ({
    ...file,
    draft: file.draft && completeDraft(file.draft),
  }));

/** Write the record; `version` is the one that the writer saw. */
export const saveRecord = (id: string, body: RecordContent & { version: number }) =>
  send<{ appointment: Appointment; record: AppointmentRecord }>(`${of(id)}/visit`, {
    method: 'PUT',
    body,
  });

/** Complete the appointment and write its record, both or neither. */
export const completeAppointment = (
  id: string,
  body: Pick<StatusChange, 'attended'> & { visit: RecordContent & { version: number } },
) =>
  send<{ appointment: Appointment }>(`${of(id)}/status`, {
    method: 'PUT',
    body: { status: 'completed', ...body },
  });

/** Keep what is being typed; `revision` is that of the draft it follows, 0 for the first. */
export const saveDraft = (id: string, content: DraftContent, revision: number) =>
  call<{ draft: WireDraft }>(`${of(id)}/visit/draft`, {
    method: 'PUT',
    body: { content, revision },
  }).then((data) => completeDraft(data.draft));

export const deleteDraft = (id: string) => call(`${of(id)}/visit/draft`, { method: 'DELETE' });

export const addAttachment = (id: string, file: File, options: Parameters<typeof upload>[2]) =>
  upload<{ attachment: Attachment }>(`${of(id)}/attachments`, file, options).then(
    (data) => data.attachment,
  );

export const removeAttachment = (id: string, attachment: string) =>
  call(`${of(id)}/attachments/${encodeURIComponent(attachment)}`, { method: 'DELETE' });

export const downloadAttachment = (id: string, { _id, name }: Attachment) =>
  download(`${of(id)}/attachments/${encodeURIComponent(_id)}`, name);

export const downloadPrescription = (id: string) =>
  download(`${of(id)}/prescription.pdf`, 'prescription.pdf');

export const appointmentFileQuery = (id: string) =>
  queryOptions({
    queryKey: ['visit', id],
    queryFn: ({ signal }) => getAppointment(id, { signal }),
  });

export const versionsQuery = (id: string, query: Paged) =>
  queryOptions({
    queryKey: ['visit', id, 'versions', query],
    queryFn: ({ signal }) =>
      call<{ versions: AppointmentRecord[]; pagination: Page }>(`${of(id)}/visit/versions`, {
        signal,
        query: { ...query },
      }),
    placeholderData: keepPreviousData,
  });

export const readersQuery = (id: string, query: Paged) =>
  queryOptions({
    queryKey: ['visit', id, 'readers', query],
    queryFn: ({ signal }) =>
      call<{ readers: Reader[]; pagination: Page }>(`${of(id)}/readers`, {
        signal,
        query: { ...query },
      }),
    placeholderData: keepPreviousData,
  });
