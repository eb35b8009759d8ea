import { onlineManager, QueryClient, queryOptions } from '@tanstack/react-query';
import { type CallOptions, call, type QueryOf } from './client';
import type { Appointment, AppointmentDetail, AppointmentList, Config, Dashboard } from './types';

/** Queries with their keys and stale times. */

const FAILED_RECENTLY_MS = 5_000;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        // The API client retries once, within one deadline.
        retry: false,
        // A list that mounts right after its request failed shows the error instead of loading again.
        retryOnMount: ({ state }) => Date.now() - state.errorUpdatedAt > FAILED_RECENTLY_MS,
      },
      // While offline a mutation fails immediately; it is never sent later, unseen.
      mutations: { networkMode: 'always' },
    },
  });
}

/** Keep the previous page of a list while the next one loads; while offline it would never load. */
export function keepPreviousData<T>(previous: T | undefined): T | undefined {
  return onlineManager.isOnline() ? previous : undefined;
}

export const getConfig = (options?: Pick<CallOptions, 'signal'>) =>
  call('GET /config', { ...options, anonymous: true });

export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: ({ signal }) => getConfig({ signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The imprint, the terms or the operator's own privacy policy. */
export const siteTextQuery = (kind: Config['texts'][number]) =>
  queryOptions({
    queryKey: ['site-text', kind],
    queryFn: ({ signal }) => call('GET /texts/{kind}', { path: { kind }, signal, anonymous: true }),
  });

export const doctorsQuery = (query: QueryOf<'GET /doctors'>) =>
  queryOptions({
    queryKey: ['doctors', query],
    queryFn: ({ signal }) => call('GET /doctors', { signal, on401: 'again', query }),
    placeholderData: keepPreviousData,
  });

/** The options of the search form; specializations without doctors are left out. */
export const doctorFiltersQuery = queryOptions({
  queryKey: ['doctor-filters'],
  queryFn: ({ signal }) => call('GET /doctors/filters', { signal, on401: 'again' }),
  staleTime: 300_000,
});

export const doctorQuery = (id: string) =>
  queryOptions({
    queryKey: ['doctor', id],
    queryFn: ({ signal }) =>
      call('GET /doctors/{user}', { signal, on401: 'again', path: { user: id } }).then(
        ({ doctor }) => doctor,
      ),
  });

/** `holdId` is not part of the key: a renewed hold must not discard the loaded slots. */
export const slotsQuery = (
  id: string,
  { holdId, ...query }: QueryOf<'GET /doctors/{user}/slots'> = {},
) =>
  queryOptions({
    queryKey: ['slots', id, query],
    queryFn: ({ signal }) =>
      call('GET /doctors/{user}/slots', {
        signal,
        on401: 'again',
        path: { user: id },
        query: { ...query, holdId },
      }),
    staleTime: 10_000,
  });

export type AppointmentsQuery = QueryOf<'GET /appointments'>;

export const appointmentsQuery = (query: AppointmentsQuery = {}) =>
  queryOptions({
    queryKey: ['appointments', query],
    queryFn: ({ signal }) => call('GET /appointments', { signal, query }),
    placeholderData: keepPreviousData,
  });

/** One appointment with the times it had before and, when it expired, the nearest free ones. */
export const appointmentDetailQuery = (id: string) =>
  queryOptions({
    queryKey: ['appointment', id],
    queryFn: ({ signal }) => call('GET /appointments/{id}', { signal, path: { id } }),
  });

/** Only the appointment of the same response. */
export const appointmentQuery = (id: string) =>
  queryOptions({
    ...appointmentDetailQuery(id),
    select: (detail: AppointmentDetail) => detail.appointment,
  });

/** The key of an appointment as the last action on this page left it. */
export const lastChangeKey = (id: string) => ['last-change', id] as const;

/** The other queries that an action on an appointment may change. */
const RELATED_QUERY_KEYS = ['appointment', 'record', 'slots', 'doctor', 'doctors', 'workspace'];

/** Invalidate every list and free time that an action on an appointment may have changed. */
export function invalidateAppointments(client: QueryClient): Promise<unknown> {
  return Promise.all(
    ['appointments', ...RELATED_QUERY_KEYS].map((key) =>
      client.invalidateQueries({ queryKey: [key] }),
    ),
  );
}

const replaceIn = (appointment: Appointment) => (each: Appointment) =>
  each._id === appointment._id ? appointment : each;

/** Return the list with the updated appointment, and updated counts. */
function withAppointment(list: AppointmentList, appointment: Appointment): AppointmentList {
  const before = list.appointments.find(({ _id }) => _id === appointment._id);
  if (!before) return list;
  const counts = list.counts && { ...list.counts };
  if (counts) {
    counts[before.status] -= 1;
    counts[appointment.status] += 1;
  }
  return { ...list, counts, appointments: list.appointments.map(replaceIn(appointment)) };
}

/**
 * Update an appointment wherever it is shown. A list that contains it keeps its rows, so that
 * nothing moves under the pointer; other lists and free times are refetched.
 */
export function setAppointment(client: QueryClient, appointment: Appointment): Promise<unknown> {
  const holds = (list: AppointmentList | undefined) =>
    list?.appointments.some((each) => each._id === appointment._id) ?? false;
  client.setQueryData(
    appointmentDetailQuery(appointment._id).queryKey,
    (detail) => detail && { ...detail, appointment },
  );
  // The query of its record (api/records.ts) contains the appointment too.
  client.setQueryData<{ appointment: Appointment }>(
    ['record', appointment._id],
    (file) => file && { ...file, appointment },
  );
  client.setQueriesData<AppointmentList>({ queryKey: ['appointments'] }, (list) =>
    list && holds(list) ? withAppointment(list, appointment) : list,
  );
  client.setQueryData(lastChangeKey(appointment._id), appointment);
  // The dashboard is refetched below and keeps rows that were changed on it.
  // Patients' pages do not load its query (api/doctorDesk.ts).
  client.setQueryData<Dashboard>(
    ['workspace', 'dashboard'],
    (dashboard) => dashboard && withDashboardAppointment(dashboard, appointment),
  );
  client.invalidateQueries({ queryKey: ['appointments'], refetchType: 'none' });
  return Promise.all([
    client.refetchQueries({
      queryKey: ['appointments'],
      type: 'active',
      predicate: (query) => !holds(query.state.data as AppointmentList | undefined),
    }),
    // The response lacks other data of its page, such as the history.
    ...RELATED_QUERY_KEYS.map((key) => client.invalidateQueries({ queryKey: [key] })),
  ]);
}

function withDashboardAppointment(dashboard: Dashboard, appointment: Appointment): Dashboard {
  const rows = Object.entries(dashboard).map(([name, part]) => [
    name,
    Array.isArray(part) ? part.map(replaceIn(appointment)) : part,
  ]);
  return Object.fromEntries(rows) as Dashboard;
}
