import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { call, send } from './client';
import { download, fetchFile } from './fileTransfer';
import { keepPreviousData } from './queries';
import type {
  AccountStatus,
  DoctorFile,
  Effects,
  ListedUser,
  Overview,
  Page,
  StaffDoctor,
  StaffDoctorTotals,
  UserTotals,
} from './types';

/** What the admin's desk asks of the server: what waits, the users, the doctors and their cases. */

export const overviewQuery = queryOptions({
  // Beside the doctor's desk, so that an act on an appointment refetches it.
  queryKey: ['desk', 'overview'],
  queryFn: ({ signal }) => call<Overview>('/admin/dashboard', { signal }),
  refetchInterval: 60_000,
});

interface UsersQuery {
  search?: string;
  role?: string;
  status?: string;
  ordering?: string;
  page?: number;
  pageSize?: number;
}

export interface Users {
  users: ListedUser[];
  totals: UserTotals;
  pagination: Page;
}

export const usersQuery = (query: UsersQuery) =>
  queryOptions({
    queryKey: ['staff', 'users', query],
    queryFn: ({ signal }) => call<Users>('/admin/users', { signal, query: { ...query } }),
    placeholderData: keepPreviousData,
  });

interface DoctorsQuery {
  search?: string;
  status?: string;
  specialization?: string;
  ordering?: string;
  page?: number;
  pageSize?: number;
}

export interface StaffDoctors {
  doctors: StaffDoctor[];
  totals: StaffDoctorTotals;
  pagination: Page;
}

export const staffDoctorsQuery = (query: DoctorsQuery) =>
  queryOptions({
    queryKey: ['staff', 'doctors', query],
    queryFn: ({ signal }) => call<StaffDoctors>('/admin/doctors', { signal, query: { ...query } }),
    placeholderData: keepPreviousData,
  });

const doctorPath = (id: string) => `/admin/doctors/${encodeURIComponent(id)}`;
const userPath = (id: string) => `/admin/users/${encodeURIComponent(id)}`;
const PREVIEW = { preview: true };

export const doctorFileQuery = (id: string) =>
  queryOptions({
    queryKey: ['staff', 'doctor', id],
    queryFn: ({ signal }) => call<DoctorFile>(doctorPath(id), { signal }),
  });

/** After an act on an account: forget whatever shows people, and what waits. */
export function invalidateUsers(client: QueryClient): Promise<unknown> {
  return Promise.all(
    ['staff', 'desk', 'doctors', 'doctor'].map((key) =>
      client.invalidateQueries({ queryKey: [key] }),
    ),
  );
}

type Told = Promise<Effects>;

const effectsIn = (data: { effects: Effects }) => data.effects;

/** See what stopping an account, or letting it go on, would touch; changes nothing. */
export const previewUserStatus = (id: string, status: AccountStatus): Told =>
  call<{ effects: Effects }>(`${userPath(id)}/status`, {
    method: 'PUT',
    query: PREVIEW,
    body: { status },
  }).then(effectsIn);

export const setUserStatus = (id: string, status: AccountStatus) =>
  send<{ user: ListedUser }>(`${userPath(id)}/status`, { method: 'PUT', body: { status } });

export interface ManyChanged {
  changed: string[];
  refused: { _id: string; code: string; message: string }[];
}

/** Stop many accounts, or let them go on. `changed` is what an undo has to name. */
export const setUsersStatus = (ids: string[], status: AccountStatus) =>
  call<ManyChanged>('/admin/users/status', { method: 'PUT', body: { ids, status } });

export const previewDeletedUser = (id: string): Told =>
  call<{ effects: Effects }>(userPath(id), { method: 'DELETE', query: PREVIEW }).then(effectsIn);

export const deleteUser = (id: string) => send(userPath(id), { method: 'DELETE' });

export const previewDeletedDoctor = (id: string): Told =>
  call<{ effects: Effects }>(doctorPath(id), { method: 'DELETE', query: PREVIEW }).then(effectsIn);

export const deleteDoctor = (id: string) => send(doctorPath(id), { method: 'DELETE' });

/** What staff decide, what they saw, and what they correct in the license. */
export interface Verdict {
  isApproved: boolean;
  /** With a rejection: the doctor stays approved, only the open case is turned down. */
  keepApproval?: boolean;
  /** The open case's as it was in view. */
  caseRevision?: number;
  reason?: string;
  /** Why to approve although evidence is missing; the server asks for it. */
  approvalReason?: string;
  note?: string;
  checklist?: Record<string, boolean>;
  licenseNumber?: string;
  licenseAuthority?: string;
  licenseRegion?: string;
  licenseExpiresOn?: string | null;
}

const approvalPath = (id: string) => `/doctors/${encodeURIComponent(id)}/approve`;

export const previewRevoked = (id: string): Told =>
  call<{ effects: Effects }>(approvalPath(id), {
    method: 'PUT',
    query: PREVIEW,
    body: { isApproved: false },
  }).then(effectsIn);

/** Approve a doctor, reject one who waits, or revoke an approval. */
export const decideDoctor = (id: string, verdict: Verdict) =>
  send<{ doctor: StaffDoctor; changed: boolean }>(approvalPath(id), {
    method: 'PUT',
    body: verdict,
  });

const evidencePath = (id: string, caseId: string) =>
  `${doctorPath(id)}/cases/${encodeURIComponent(caseId)}/document`;

/** Save the document that came with an application. */
export const downloadEvidence = (id: string, caseId: string, name: string) =>
  download(evidencePath(id, caseId), name);

/** Read the same document, to show it. */
export const readEvidence = (id: string, caseId: string): Promise<Blob> =>
  fetchFile(evidencePath(id, caseId)).then(({ content }) => new Blob([content]));
