import { queryOptions } from '@tanstack/react-query';
import { type BodyOf, call, send } from './client';
import { download, upload } from './fileTransfer';
import { keepPreviousData } from './queries';
import type { AppointmentFile, Attachment, Draft, DraftContent, WireDraft } from './types';

/** An appointment's record with versions, draft, files and access log. */

interface PageQuery {
  page?: number;
  pageSize?: number;
}

/** Fill in the fields that another client left out of a draft. */
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

/** Save the record; `version` is the one it was based on. */
export const saveRecord = (id: string, body: BodyOf<'PUT /appointments/{id}/visit'>) =>
  send('PUT /appointments/{id}/visit', { path: { id }, body });

/** Complete the appointment and save its record, both or neither. */
export const completeAppointment = (
  id: string,
  body: Pick<BodyOf<'PUT /appointments/{id}/status'>, 'attended' | 'visit'>,
) =>
  send('PUT /appointments/{id}/status', { path: { id }, body: { status: 'completed', ...body } });

/** Save the draft; `revision` is that of the draft it was based on, 0 for the first. */
export const saveDraft = (id: string, content: DraftContent, revision: number) =>
  call('PUT /appointments/{id}/visit/draft', { path: { id }, body: { content, revision } }).then(
    ({ draft }) => completeDraft(draft),
  );

export const deleteDraft = (id: string) =>
  call('DELETE /appointments/{id}/visit/draft', { path: { id } });

const appointmentPath = (id: string) => `/appointments/${encodeURIComponent(id)}`;

export const addAttachment = (id: string, file: File, options: Parameters<typeof upload>[2]) =>
  upload<{ attachment: Attachment }>(`${appointmentPath(id)}/attachments`, file, options).then(
    (data) => data.attachment,
  );

export const removeAttachment = (id: string, attachment: string) =>
  call('DELETE /appointments/{id}/attachments/{file}', { path: { id, file: attachment } });

export const downloadAttachment = (id: string, { _id, name }: Attachment) =>
  download(`${appointmentPath(id)}/attachments/${encodeURIComponent(_id)}`, name);

export const downloadPrescription = (id: string) =>
  download(`${appointmentPath(id)}/prescription.pdf`, 'prescription.pdf');

export const appointmentFileQuery = (id: string) =>
  queryOptions({
    queryKey: ['record', id],
    queryFn: async ({ signal }): Promise<AppointmentFile> => {
      const file = await call('GET /appointments/{id}/visit', { signal, path: { id } });
      return { ...file, draft: file.draft && completeDraft(file.draft) };
    },
  });

export const versionsQuery = (id: string, query: PageQuery) =>
  queryOptions({
    queryKey: ['record', id, 'versions', query],
    queryFn: ({ signal }) =>
      call('GET /appointments/{id}/visit/versions', { signal, path: { id }, query }),
    placeholderData: keepPreviousData,
  });

export const readersQuery = (id: string, query: PageQuery) =>
  queryOptions({
    queryKey: ['record', id, 'readers', query],
    queryFn: ({ signal }) =>
      call('GET /appointments/{id}/readers', { signal, path: { id }, query }),
    placeholderData: keepPreviousData,
  });
