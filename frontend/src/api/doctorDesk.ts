import { queryOptions } from '@tanstack/react-query';
import { type BodyOf, call, type QueryOf, send } from './client';
import { keepPreviousData } from './queries';
import type { Appointment } from './types';

/** Requests of the doctor's pages: dashboard, calendar, patients, and actions on appointments. */

export const dashboardQuery = queryOptions({
  queryKey: ['workspace', 'dashboard'],
  queryFn: ({ signal }) => call('GET /doctors/dashboard', { signal }),
  // Patients book while the page is open.
  refetchInterval: 60_000,
});

export const calendarQuery = (from: string, days: number) =>
  queryOptions({
    queryKey: ['workspace', 'calendar', { from, days }],
    queryFn: ({ signal }) => call('GET /doctors/calendar', { signal, query: { from, days } }),
    refetchInterval: 60_000,
  });

export const patientsQuery = (query: QueryOf<'GET /doctors/patients'>) =>
  queryOptions({
    queryKey: ['workspace', 'patients', query],
    queryFn: ({ signal }) => call('GET /doctors/patients', { signal, query }),
    placeholderData: keepPreviousData,
  });

export const patientQuery = (id: string) =>
  queryOptions({
    queryKey: ['workspace', 'patient', id],
    queryFn: ({ signal }) =>
      call('GET /doctors/patients/{id}', { signal, path: { id } }).then(({ patient }) => patient),
  });

export const patientHistoryQuery = (id: string, page: number, pageSize: number) =>
  queryOptions({
    queryKey: ['workspace', 'history', id, { page, pageSize }],
    queryFn: ({ signal }) =>
      call('GET /doctors/patients/{id}/history', {
        signal,
        path: { id },
        query: { page, pageSize },
      }),
    placeholderData: keepPreviousData,
  });

/** Book an appointment for one's own patient, confirmed at once; 200 if the same appointment exists already. */
export const bookForPatient = (
  id: string,
  body: BodyOf<'POST /doctors/patients/{id}/appointments'>,
) => send('POST /doctors/patients/{id}/appointments', { path: { id }, body });

export type StatusChange = BodyOf<'PUT /appointments/{id}/status'>;

/** An appointment after an action; `changed` is false if it had that status already. */
export interface ChangedAppointment {
  appointment: Appointment;
  changed?: boolean;
}

export const setAppointmentStatus = (id: string, change: StatusChange) =>
  send('PUT /appointments/{id}/status', { path: { id }, body: change });

/** Undo one's own confirmation: the request is pending again. */
export const undoConfirmation = (id: string) =>
  send('POST /appointments/{id}/undo', { path: { id } });

/** Make a completed appointment confirmed again. */
export const reopenAppointment = (id: string) =>
  send('POST /appointments/{id}/reopen', { path: { id } });

/** Move an appointment at once, as agreed with the patient. */
export const moveAppointment = (id: string, body: BodyOf<'POST /appointments/{id}/move'>) =>
  send('POST /appointments/{id}/move', { path: { id }, body });
