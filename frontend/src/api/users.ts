import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { type BodyOf, call, type DataOf, type QueryOf, send } from './client';
import { download, fetchFile } from './fileTransfer';
import { keepPreviousData } from './queries';
import type { AccountStatus, Effects } from './types';

/** What the admin's desk asks of the server: what waits, the users, the doctors and their cases. */

export const overviewQuery = queryOptions({
  // Beside the doctor's desk, so that an act on an appointment refetches it.
  queryKey: ['desk', 'overview'],
  queryFn: ({ signal }) => call('GET /admin/dashboard', { signal }),
  refetchInterval: 60_000,
});

export type Users = DataOf<'GET /admin/users'>;

export const usersQuery = (query: QueryOf<'GET /admin/users'>) =>
  queryOptions({
    queryKey: ['staff', 'users', query],
    queryFn: ({ signal }) => call('GET /admin/users', { signal, query }),
    placeholderData: keepPreviousData,
  });

export const staffDoctorsQuery = (query: QueryOf<'GET /admin/doctors'>) =>
  queryOptions({
    queryKey: ['staff', 'doctors', query],
    queryFn: ({ signal }) => call('GET /admin/doctors', { signal, query }),
    placeholderData: keepPreviousData,
  });

export const doctorFileQuery = (id: string) =>
  queryOptions({
    queryKey: ['staff', 'doctor', id],
    queryFn: ({ signal }) => call('GET /admin/doctors/{id}', { signal, path: { id } }),
  });

/** After an act on an account: forget whatever shows people, and what waits. */
export function invalidateUsers(client: QueryClient): Promise<unknown> {
  return Promise.all(
    ['staff', 'desk', 'doctors', 'doctor'].map((key) =>
      client.invalidateQueries({ queryKey: [key] }),
    ),
  );
}

const PREVIEW = { preview: true };

/** Return what an act would touch; a preview has nothing else in its response. */
const effectsOf = (data: object) => (data as { effects: Effects }).effects;

/** See what stopping an account, or letting it go on, would touch; changes nothing. */
export const previewUserStatus = (id: string, status: AccountStatus) =>
  call('PUT /admin/users/{id}/status', { path: { id }, query: PREVIEW, body: { status } }).then(
    effectsOf,
  );

export const setUserStatus = (id: string, status: AccountStatus) =>
  send('PUT /admin/users/{id}/status', { path: { id }, body: { status } });

export type BulkStatusResult = DataOf<'PUT /admin/users/status'>;

/** Stop many accounts, or let them go on. `changed` is what an undo has to name. */
export const setUserStatuses = (ids: string[], status: AccountStatus) =>
  call('PUT /admin/users/status', { body: { ids, status } });

export const previewUserDeletion = (id: string) =>
  call('DELETE /admin/users/{id}', { path: { id }, query: PREVIEW }).then(effectsOf);

export const deleteUser = (id: string) => send('DELETE /admin/users/{id}', { path: { id } });

export const previewDoctorDeletion = (id: string) =>
  call('DELETE /admin/doctors/{id}', { path: { id }, query: PREVIEW }).then(effectsOf);

export const deleteDoctor = (id: string) => send('DELETE /admin/doctors/{id}', { path: { id } });

/** What staff decide, what they saw, and what they correct in the license. */
export type ApprovalDecision = BodyOf<'PUT /doctors/{id}/approve'>;

export const previewApprovalRevocation = (id: string) =>
  call('PUT /doctors/{id}/approve', {
    path: { id },
    query: PREVIEW,
    body: { isApproved: false },
  }).then(effectsOf);

/** Approve a doctor, reject one who waits, or revoke an approval. */
export const decideDoctor = (id: string, decision: ApprovalDecision) =>
  send('PUT /doctors/{id}/approve', { path: { id }, body: decision });

const evidencePath = (id: string, caseId: string) =>
  `/admin/doctors/${encodeURIComponent(id)}/cases/${encodeURIComponent(caseId)}/document`;

/** Save the document that came with an application. */
export const downloadEvidence = (id: string, caseId: string, name: string) =>
  download(evidencePath(id, caseId), name);

/** Read the same document, to show it. */
export const readEvidence = (id: string, caseId: string): Promise<Blob> =>
  fetchFile(evidencePath(id, caseId)).then(({ content }) => new Blob([content]));
