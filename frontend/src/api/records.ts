import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { StatusChange } from './calls';
import { type CallOptions, call, send } from './client';
import { placeVisit } from './queries';
import { download, upload } from './transfer';
import type { Appointment, Page, Prescription, Role } from './types';

/** What is written about a visit: its record with versions, the draft, files, and who read it. */

/** What a doctor writes; absent parts stay as they are. */
export interface RecordContent {
  diagnosis: string;
  notes: string;
  prescription: Prescription;
  followUpDays: number | null;
}

/** One version of a record; version 0 is the empty one before anything was written. */
export interface VisitRecord extends RecordContent {
  version: number;
  writtenAt: string | null;
}

export interface Attachment {
  _id: string;
  name: string;
  contentType: string;
  size: number;
  addedAt: string;
}

/** Numbers stay as they were typed. */
export interface DraftContent {
  diagnosis: string;
  notes: string;
  prescription: { notes: string; items: DraftItem[] };
  followUpDays: string | number | null;
}

export interface DraftItem {
  medicine: string;
  dose: string;
  frequency: string;
  days: string | number | null;
}

export interface Draft {
  content: DraftContent;
  revision: number;
  savedAt: string;
}

/** The patient as their doctor sees them. */
export interface VisitPatient {
  _id: string;
  name: string;
  email: string;
  phone: string;
  gender: string;
  dateOfBirth: string | null;
  age: number | null;
  bloodGroup: string;
  profilePicture: string | null;
}

/** Everything of one visit. Draft, past and patient are the doctor's alone. */
export interface VisitFile {
  appointment: Appointment;
  record: VisitRecord;
  attachments: Attachment[];
  draft: Draft | null;
  past: Appointment[];
  patient: VisitPatient | null;
}

/** Who opened a record; what one person read on one day is one row. */
export interface Reader {
  name: string;
  role: Role;
  at: string;
  what: string;
  times: number;
}

type Signal = Pick<CallOptions, 'signal'>;
type Paged = { page?: number; pageSize?: number };

const of = (id: string) => `/appointments/${encodeURIComponent(id)}`;

const getVisit = (id: string, options?: Signal) => call<VisitFile>(`${of(id)}/visit`, options);

/** Write the record; `version` is the one that the writer saw. */
export const saveRecord = (id: string, body: RecordContent & { version: number }) =>
  send<{ appointment: Appointment; record: VisitRecord }>(`${of(id)}/visit`, {
    method: 'PUT',
    body,
  });

/** Complete the visit and write its record, both or neither. */
export const completeVisit = (
  id: string,
  body: Pick<StatusChange, 'attended'> & { visit: RecordContent & { version: number } },
) =>
  send<{ appointment: Appointment }>(`${of(id)}/status`, {
    method: 'PUT',
    body: { status: 'completed', ...body },
  });

/** Keep what is being typed; `revision` is that of the draft it follows, 0 for the first. */
export const saveDraft = (id: string, content: DraftContent, revision: number) =>
  call<{ draft: Draft }>(`${of(id)}/visit/draft`, {
    method: 'PUT',
    body: { content, revision },
  }).then((data) => data.draft);

export const dropDraft = (id: string) => call(`${of(id)}/visit/draft`, { method: 'DELETE' });

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

export const visitQuery = (id: string) =>
  queryOptions({
    queryKey: ['visit', id],
    queryFn: ({ signal }) => getVisit(id, { signal }),
  });

export const versionsQuery = (id: string, query: Paged) =>
  queryOptions({
    queryKey: ['visit', id, 'versions', query],
    queryFn: ({ signal }) =>
      call<{ versions: VisitRecord[]; pagination: Page }>(`${of(id)}/visit/versions`, {
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

/** Put a changed visit in place on its own page and wherever else it is shown. */
export function placeVisitFile(client: QueryClient, change: Partial<VisitFile>, id: string): void {
  client.setQueryData(visitQuery(id).queryKey, (file) => file && { ...file, ...change });
  if (change.appointment) void placeVisit(client, change.appointment);
}
