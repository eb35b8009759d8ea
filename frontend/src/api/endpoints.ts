import { type CallOptions, call, send, toFormData } from './client';
import type { ProofSent } from './mfa';
import type {
  AffectedAppointment,
  Appointment,
  AppointmentDetail,
  AppointmentStatus,
  Config,
  Decision,
  Doctor,
  DoctorPage,
  Explanation,
  Hold,
  Page,
  Role,
  Schedule,
  SecondStepDue,
  SessionRow,
  Slots,
  StatusCounts,
  User,
} from './types';

/** The calls of the API, one function each. Paths are those of docs/openapi.yaml. */

type Signal = Pick<CallOptions, 'signal'>;

export interface SignedIn {
  token: string;
  user: User;
}

export const getConfig = (options?: Signal) =>
  call<Config>('/config', { ...options, anonymous: true });

/** The password was right, and the second step is due. */
export interface MfaRequired {
  secondStep: SecondStepDue;
}

export const logIn = (body: { email: string; password: string; role: Role }) =>
  call<SignedIn | MfaRequired>('/auth/login', { method: 'POST', body, on401: 'keep' });

/** End the session on the server; a session that has ended already is no failure worth a redirect. */
export const logOut = () => call('/auth/logout', { method: 'POST', on401: 'quiet' });

export const register = (role: 'patient' | 'doctor', body: unknown) =>
  call<Partial<SignedIn>>(`/auth/register/${role}`, { method: 'POST', body, on401: 'keep' });

/** The check at start: a 401 removes the token and nothing else. */
export const getProfile = (options?: Signal) =>
  call<{ user: User }>('/auth/profile', { ...options, on401: 'quiet' }).then((data) => data.user);

/** Keep the session alive; unlike the check at start, an ended one goes to sign-in. */
export const touchSession = () => call<{ user: User }>('/auth/profile').then((data) => data.user);

export const updateProfile = (body: Record<string, unknown>) =>
  send<{ user: User }>('/auth/profile', { method: 'PUT', body });

/** The full editor: multipart, because a picture may come along. */
export const updateProfileForm = (role: Role, values: Record<string, unknown>) =>
  send<{ user: User }>(role === 'doctor' ? '/doctors/profile' : '/auth/profile', {
    method: 'PUT',
    body: toFormData(values),
  });

export const changePassword = (body: ProofSent & { newPassword: string }) =>
  send('/auth/password', { method: 'PUT', body });

export const getSessions = (options?: Signal) =>
  call<{ sessions: SessionRow[] }>('/auth/sessions', options).then((data) => data.sessions);

export const endSession = (id: string) =>
  send(`/auth/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' });

export const endOtherSessions = () => send('/auth/sessions', { method: 'DELETE' });

export interface DoctorsQuery {
  search?: string;
  specialization?: string;
  city?: string;
  /** The first free time is on this day or earlier. */
  availableBy?: string;
  /** Whether to forgive no typos. */
  literal?: string;
  ordering?: string;
  page?: number;
  pageSize?: number;
}

/** A search that was corrected: as it was typed, and what was searched for instead. */
export interface Correction {
  from: string;
  to: string;
}

export const getDoctors = (query: DoctorsQuery, options?: Signal) =>
  call<{ doctors: Doctor[]; corrected: Correction | null; pagination: Page }>('/doctors', {
    ...options,
    on401: 'again',
    query: { ...query },
  });

export const getDoctorFilters = (options?: Signal) =>
  call<{
    specializations: string[];
    example: { specialization: string; city: string } | null;
  }>('/doctors/filters', { ...options, on401: 'again' });

export const getDoctor = (id: string, options?: Signal) =>
  call<{ doctor: DoctorPage }>(`/doctors/${encodeURIComponent(id)}`, {
    ...options,
    on401: 'again',
  }).then((data) => data.doctor);

export interface SlotsQuery {
  from?: string;
  days?: number;
  /** The time that one holds is shown as free to oneself. */
  holdId?: string;
}

export const getSlots = (id: string, query: SlotsQuery, options?: Signal) =>
  call<Slots>(`/doctors/${encodeURIComponent(id)}/slots`, {
    ...options,
    on401: 'again',
    query: { ...query },
  });

export interface AppointmentsQuery {
  status?: AppointmentStatus;
  from?: string;
  to?: string;
  scope?: 'upcoming' | 'past' | 'records' | 'written' | 'all';
  /** A patient's name or e-mail; among written records, their text too. */
  search?: string;
  /** For a doctor: requests, and patients who ask to cancel or to move. */
  waiting?: boolean;
  /** For a doctor: other times that the patient has not answered yet. */
  waitingForPatient?: boolean;
  /** Whether the patient came. */
  attended?: boolean;
  /** How many there are of each status, under the same search and dates. */
  counts?: boolean;
  ordering?: string;
  page?: number;
  pageSize?: number;
}

export interface AppointmentPage {
  appointments: Appointment[];
  pagination: Page;
  counts?: StatusCounts;
}

export const getAppointments = (query: AppointmentsQuery, options?: Signal) =>
  call<AppointmentPage>('/appointments', {
    ...options,
    query: { ...query },
  });

export const getAppointment = (id: string, options?: Signal) =>
  call<AppointmentDetail>(`/appointments/${encodeURIComponent(id)}`, options);

/** A wish for a time, on the clinic's own clock. */
export interface RequestedTime {
  appointmentDate: string;
  appointmentTime: string;
}

/** Keep a time while the form is filled; with the secret of an earlier hold, that one goes on or is let go. */
export const holdTime = (body: RequestedTime & { doctorId: string; holdId?: string }) =>
  call<Hold>('/appointments/hold', { method: 'POST', body, on401: 'again' });

/** Give a kept time back; also while the page is being left. */
export const releaseHold = (holdId: string) =>
  call(`/appointments/hold/${encodeURIComponent(holdId)}`, {
    method: 'DELETE',
    on401: 'keep',
    keepalive: true,
  });

export interface Booking extends RequestedTime {
  doctorId: string;
  symptoms: string;
  notes: string;
  holdId?: string;
}

/** Book an appointment; the answer's status is 200 when the same booking stands already. */
export const bookAppointment = (body: Booking) =>
  send<{ appointment: Appointment }>('/appointments', { method: 'POST', body });

export const cancelAppointment = (id: string, reason?: string) =>
  send<{ appointment: Appointment }>(`/appointments/${encodeURIComponent(id)}/cancel`, {
    method: 'PUT',
    body: reason ? { reason } : {},
  });

export interface StatusChange {
  status: AppointmentStatus;
  reason?: string;
  /** With `completed`: false marks a no-show. */
  attended?: boolean;
  /** With `confirmed`: it can be undone for some seconds, and nobody is notified before. */
  undoable?: boolean;
  /** The status that the person saw; the server refuses the change if it is another one by now. */
  expectedStatus?: AppointmentStatus;
}

/** An appointment after an act; `changed` is false if it had that status already. */
export interface ChangedAppointment {
  appointment: Appointment;
  changed?: boolean;
}

export const setAppointmentStatus = (id: string, change: StatusChange) =>
  send<ChangedAppointment>(`/appointments/${encodeURIComponent(id)}/status`, {
    method: 'PUT',
    body: change,
  });

/** Take back one's own confirmation: the request is pending again. */
export const undoConfirmation = (id: string) =>
  send<{ appointment: Appointment }>(`/appointments/${encodeURIComponent(id)}/undo`, {
    method: 'POST',
  });

/** Make a completed appointment confirmed again. */
export const reopenAppointment = (id: string) =>
  send<{ appointment: Appointment }>(`/appointments/${encodeURIComponent(id)}/reopen`, {
    method: 'POST',
  });

/** Move an appointment at once, as agreed with the patient. */
export const moveAppointment = (
  id: string,
  body: RequestedTime & { reason: string; outsideHours?: boolean },
) =>
  send<{ appointment: Appointment }>(`/appointments/${encodeURIComponent(id)}/move`, {
    method: 'POST',
    body,
  });

/** Move an appointment that still waits. */
export const rescheduleAppointment = (id: string, body: RequestedTime) =>
  send<{ appointment: Appointment }>(`/appointments/${encodeURIComponent(id)}/reschedule`, {
    method: 'PUT',
    body,
  });

/** Propose another time to the other side. */
export const proposeTime = (id: string, body: RequestedTime & { reason: string }) =>
  send<{ appointment: Appointment }>(`/appointments/${encodeURIComponent(id)}/proposal`, {
    method: 'POST',
    body,
  });

/** Accept or decline the open proposal; one's own is withdrawn by not accepting it. */
export const answerProposal = (id: string, accept: boolean) =>
  send<{ appointment: Appointment }>(`/appointments/${encodeURIComponent(id)}/proposal`, {
    method: 'PUT',
    body: { accept },
  });

/** "I can't make it": cancels at once before the doctor's cutoff, and asks the doctor after it. */
export const requestCancellation = (id: string, reason: string) =>
  send<{ appointment: Appointment; cancelled: boolean }>(
    `/appointments/${encodeURIComponent(id)}/cancel-request`,
    { method: 'POST', body: { reason } },
  );

/** "I can come after all": take the request to cancel back. */
export const withdrawCancelRequest = (id: string) =>
  send<{ appointment: Appointment }>(`/appointments/${encodeURIComponent(id)}/cancel-request`, {
    method: 'DELETE',
  });

export const getSchedule = (options?: Signal) =>
  call<{ schedule: Schedule }>('/doctors/schedule', options).then((data) => data.schedule);

export interface SavedSchedule {
  schedule: Schedule;
  affected: AffectedAppointment[];
}

/** See what a change would do, and change nothing. */
export const previewSchedule = (body: Partial<Schedule>) =>
  call<SavedSchedule>('/doctors/schedule', { method: 'PUT', query: { preview: 'true' }, body });

/** Change the schedule; every appointment that it leaves outside the hours needs a decision. */
export const saveSchedule = (
  body: Partial<Schedule> & { visits?: Record<string, Decision>; reason?: string },
) => call<SavedSchedule>('/doctors/schedule', { method: 'PUT', body });

/** Ask whether a time can be booked and, as its doctor, why not. */
export const explainTime = (doctorId: string, time: { date: string; time: string }) =>
  call<Explanation>(`/doctors/${encodeURIComponent(doctorId)}/slots/explain`, { query: time });
