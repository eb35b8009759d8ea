import { queryOptions } from '@tanstack/react-query';
import { call, send } from './client';
import type { RequestedTime } from './endpoints';
import { keepPreviousData } from './queries';
import type {
  Absence,
  AffectedAppointment,
  Appointment,
  BlockedTime,
  Calendar,
  Dashboard,
  Decision,
  Page,
  PatientFacts,
  Patients,
} from './types';

/** What the doctor's desk asks of the server: the day, the calendar, the patients. */

export const dashboardQuery = queryOptions({
  queryKey: ['desk', 'dashboard'],
  queryFn: ({ signal }) => call<Dashboard>('/doctors/dashboard', { signal }),
  // A day at the desk is long, and patients book while the page stands open.
  refetchInterval: 60_000,
});

export const calendarQuery = (from: string, days: number) =>
  queryOptions({
    queryKey: ['desk', 'calendar', { from, days }],
    queryFn: ({ signal }) => call<Calendar>('/doctors/calendar', { signal, query: { from, days } }),
    refetchInterval: 60_000,
  });

export interface BlockBody {
  date: string;
  start: string;
  end: string;
  reason?: string;
  /** What becomes of the appointments inside… */
  visits?: Record<string, Decision>;
  /** …and what their patients are told. */
  visitsReason?: string;
}

export const blockTime = (body: BlockBody) =>
  call<{ blocked: BlockedTime }>('/doctors/schedule/blocked', {
    method: 'POST',
    body,
  });

export const unblockTime = (id: string) =>
  call(`/doctors/schedule/blocked/${encodeURIComponent(id)}`, { method: 'DELETE' });

export interface AbsenceBody {
  from: { date: string; time: string };
  to: { date: string; time: string };
  reason: string;
  /** What happens to the appointments and proposals inside… */
  visits?: Record<string, Decision>;
  /** …and what their patients read. */
  visitsReason?: string;
}

interface SavedAbsence {
  absence: Absence | null;
  affected: AffectedAppointment[];
}

const absencePath = (id?: string) =>
  `/doctors/schedule/absences${id ? `/${encodeURIComponent(id)}` : ''}`;

/** Look what time off would affect, or save it: a new one, or one that exists as one. */
export const saveAbsence = (id: string | undefined, body: AbsenceBody, preview = false) =>
  call<SavedAbsence>(absencePath(id), {
    method: id ? 'PUT' : 'POST',
    query: preview ? { preview: 'true' } : undefined,
    body,
  });

export const removeAbsence = (id: string) => call(absencePath(id), { method: 'DELETE' });

interface PatientsQuery {
  search?: string;
  gender?: string;
  ordering?: string;
  page?: number;
  pageSize?: number;
}

export const patientsQuery = (query: PatientsQuery) =>
  queryOptions({
    queryKey: ['desk', 'patients', query],
    queryFn: ({ signal }) => call<Patients>('/doctors/patients', { signal, query: { ...query } }),
    placeholderData: keepPreviousData,
  });

const patientPath = (id: string) => `/doctors/patients/${encodeURIComponent(id)}`;

export const patientQuery = (id: string) =>
  queryOptions({
    queryKey: ['desk', 'patient', id],
    queryFn: ({ signal }) =>
      call<{ patient: PatientFacts }>(patientPath(id), { signal }).then((data) => data.patient),
  });

interface PatientHistory {
  patient: PatientFacts;
  appointments: Appointment[];
  pagination: Page;
}

export const patientHistoryQuery = (id: string, page: number, pageSize: number) =>
  queryOptions({
    queryKey: ['desk', 'history', id, { page, pageSize }],
    queryFn: ({ signal }) =>
      call<PatientHistory>(`${patientPath(id)}/history`, { signal, query: { page, pageSize } }),
    placeholderData: keepPreviousData,
  });

interface PatientBooking extends RequestedTime {
  symptoms?: string;
  /** Book it though patients could not: outside the hours, at short notice, off the grid. */
  outsideHours?: boolean;
}

/** Book an appointment for one's own patient, confirmed at once; 200 when the same appointment stands already. */
export const bookForPatient = (id: string, body: PatientBooking) =>
  send<{ appointment: Appointment }>(`${patientPath(id)}/appointments`, { method: 'POST', body });
