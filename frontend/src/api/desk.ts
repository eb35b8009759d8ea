import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { WantedTime } from './calls';
import { type CallOptions, call, send } from './client';
import type { Appointment, AppointmentStatus, Decision, Interval, Page } from './types';

/** What the doctor's desk asks of the server: the day, the calendar, the patients. */

type Signal = Pick<CallOptions, 'signal'>;

export interface Amount {
  currency: string;
  amount: number;
}

/** The day at a glance. Its rows are whole visits. */
export interface Dashboard {
  totals: {
    appointments: number;
    today: number;
    todayLeft: number;
    patients: number;
    /** Requests, and what patients ask beside a visit. */
    waiting: number;
    unfinished: number;
    earnings: Amount[];
  };
  waiting: Appointment[];
  asking: Appointment[];
  next: Appointment[];
  today: Appointment[];
  unfinished: Appointment[];
  recent: Appointment[];
}

export const getDashboard = (options?: Signal) => call<Dashboard>('/doctors/dashboard', options);

export const dashboardQuery = queryOptions({
  queryKey: ['desk', 'dashboard'],
  queryFn: ({ signal }) => getDashboard({ signal }),
  // A day at the desk is long, and patients book while the page stands open.
  refetchInterval: 60_000,
});

/** One visit in the calendar, without anything clinical. */
export interface CalendarVisit {
  _id: string;
  patient: { _id: string; name: string };
  appointmentDate: string;
  appointmentTime: string;
  startsAt: string;
  endsAt: string;
  minutes: number;
  status: AppointmentStatus;
  attended: boolean | null;
  outsideHours: boolean;
  bookedBy: 'patient' | 'doctor';
  cancelRequest: boolean;
  proposal: boolean;
}

export interface BlockedTime {
  _id: string;
  start: string;
  end: string;
  reason: string;
}

export interface CalendarDay {
  date: string;
  hours: Interval[];
  dayOff: boolean;
  reason: string;
  blocked: BlockedTime[];
}

/** Time that is kept for a visit that does not stand yet. */
export interface KeptTime {
  kind: 'hold' | 'proposal';
  date: string;
  time: string;
  minutes: number;
}

export interface Calendar {
  timeZone: string;
  today: string;
  visitMinutes: number;
  days: CalendarDay[];
  visits: CalendarVisit[];
  kept: KeptTime[];
}

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
  /** What becomes of the visits inside… */
  visits?: Record<string, Decision>;
  /** …and what their patients are told. */
  visitsReason?: string;
}

export const blockTime = (body: BlockBody) =>
  call<{ blocked: BlockedTime & { date: string } }>('/doctors/schedule/blocked', {
    method: 'POST',
    body,
  });

export const unblockTime = (id: string) =>
  call(`/doctors/schedule/blocked/${encodeURIComponent(id)}`, { method: 'DELETE' });

interface VisitMark {
  appointmentId: string;
  date: string;
  time: string;
  startsAt: string;
}

/** One of the doctor's patients. Of an ended account no address is left. */
export interface PatientRow {
  _id: string;
  name: string;
  email: string;
  phone: string;
  gender: string;
  age: number | null;
  profilePicture: string | null;
  visits: number;
  lastVisit: VisitMark | null;
  nextVisit: VisitMark | null;
}

export interface PatientFacts extends PatientRow {
  dateOfBirth: string | null;
  bloodGroup: string;
}

export interface PatientsQuery {
  search?: string;
  gender?: string;
  ordering?: string;
  page?: number;
  pageSize?: number;
}

export interface Patients {
  patients: PatientRow[];
  totals: { all: number; male: number; female: number; other: number };
  pagination: Page;
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

export interface PatientHistory {
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

export interface PatientBooking extends WantedTime {
  symptoms?: string;
  /** Book it though patients could not: outside the hours, at short notice, off the grid. */
  outsideHours?: boolean;
}

/** Book a visit for one's own patient, confirmed at once; 200 when the same visit stands already. */
export const bookForPatient = (id: string, body: PatientBooking) =>
  send<{ appointment: Appointment }>(`${patientPath(id)}/appointments`, { method: 'POST', body });
