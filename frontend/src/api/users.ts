import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { type BodyOf, call, type DataOf, type QueryOf, send } from './client';
import { download, fetchFile } from './fileTransfer';
import { keepPreviousData } from './queries';
import type { AccountStatus, Effects } from './types';

/** Requests of the admin pages: overview, users, doctors and their verification cases. */

export const overviewQuery = queryOptions({
  // Under the key of the doctor's dashboard, so that an action on an appointment refetches it.
  queryKey: ['workspace', 'overview'],
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

/** Invalidate every query that shows users or pending work. */
export function invalidateUsers(client: QueryClient): Promise<unknown> {
  return Promise.all(
    ['staff', 'workspace', 'doctors', 'doctor'].map((key) =>
      client.invalidateQueries({ queryKey: [key] }),
    ),
  );
}

const PREVIEW = { preview: true };

/** Return the effects of an action; a preview's response contains nothing else. */
const effectsOf = (data: object) => (data as { effects: Effects }).effects;

/** Preview deactivating or activating an account. */
export const previewUserStatus = (id: string, status: AccountStatus) =>
  call('PUT /admin/users/{id}/status', { path: { id }, query: PREVIEW, body: { status } }).then(
    effectsOf,
  );

export const setUserStatus = (id: string, status: AccountStatus) =>
  send('PUT /admin/users/{id}/status', { path: { id }, body: { status } });

export type BulkStatusResult = DataOf<'PUT /admin/users/status'>;

/** Activate or deactivate several accounts. An undo needs the ids in `changed`. */
export const setUserStatuses = (ids: string[], status: AccountStatus) =>
  call('PUT /admin/users/status', { body: { ids, status } });

export const previewUserDeletion = (id: string) =>
  call('DELETE /admin/users/{id}', { path: { id }, query: PREVIEW }).then(effectsOf);

export const deleteUser = (id: string) => send('DELETE /admin/users/{id}', { path: { id } });

export const previewDoctorDeletion = (id: string) =>
  call('DELETE /admin/doctors/{id}', { path: { id }, query: PREVIEW }).then(effectsOf);

export const deleteDoctor = (id: string) => send('DELETE /admin/doctors/{id}', { path: { id } });

/** A decision with its checklist and corrections of the license. */
export type ApprovalDecision = BodyOf<'PUT /doctors/{id}/approve'>;

export const previewApprovalRevocation = (id: string) =>
  call('PUT /doctors/{id}/approve', {
    path: { id },
    query: PREVIEW,
    body: { isApproved: false },
  }).then(effectsOf);

/** Approve a doctor, reject an application, or revoke an approval. */
export const decideDoctor = (id: string, decision: ApprovalDecision) =>
  send('PUT /doctors/{id}/approve', { path: { id }, body: decision });

const evidencePath = (id: string, caseId: string) =>
  `/admin/doctors/${encodeURIComponent(id)}/cases/${encodeURIComponent(caseId)}/document`;

/** Download the document of an application. */
export const downloadEvidence = (id: string, caseId: string, name: string) =>
  download(evidencePath(id, caseId), name);

/** Load the document of an application to show it. */
export const readEvidence = (id: string, caseId: string): Promise<Blob> =>
  fetchFile(evidencePath(id, caseId)).then(({ content }) => new Blob([content]));
