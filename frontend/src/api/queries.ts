import { keepPreviousData, QueryClient, queryOptions } from '@tanstack/react-query';
import * as calls from './calls';
import { ApiError } from './errors';
import type { Appointment, AppointmentDetail, Dashboard } from './types';

/** What is asked of the server, under which key it is kept, and for how long it is fresh. */

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        // Only a fault that may pass is worth a second try.
        retry: (failures, error) => failures < 1 && error instanceof ApiError && error.isOutage,
      },
    },
  });
}

export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: ({ signal }) => calls.getConfig({ signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => calls.getSessions({ signal }),
});

export const doctorsQuery = (query: calls.DoctorsQuery) =>
  queryOptions({
    queryKey: ['doctors', query],
    queryFn: ({ signal }) => calls.getDoctors(query, { signal }),
    placeholderData: keepPreviousData,
  });

export const doctorQuery = (id: string) =>
  queryOptions({
    queryKey: ['doctor', id],
    queryFn: ({ signal }) => calls.getDoctor(id, { signal }),
  });

/** `holdId` is no part of the key: a renewed hold is no reason to forget what is shown. */
export const slotsQuery = (id: string, { holdId, ...query }: calls.SlotsQuery = {}) =>
  queryOptions({
    queryKey: ['slots', id, query],
    queryFn: ({ signal }) => calls.getSlots(id, { ...query, holdId }, { signal }),
    staleTime: 10_000,
  });

export const appointmentsQuery = (query: calls.AppointmentsQuery = {}) =>
  queryOptions({
    queryKey: ['appointments', query],
    queryFn: ({ signal }) => calls.getAppointments(query, { signal }),
    placeholderData: keepPreviousData,
  });

/** One visit with the times it had before and, when it expired, the nearest free ones. */
export const appointmentDetailQuery = (id: string) =>
  queryOptions({
    queryKey: ['appointment', id],
    queryFn: ({ signal }) => calls.getAppointment(id, { signal }),
  });

/** The same answer, of which only the visit is wanted. */
export const appointmentQuery = (id: string) =>
  queryOptions({
    ...appointmentDetailQuery(id),
    select: (detail: AppointmentDetail) => detail.appointment,
  });

export const scheduleQuery = queryOptions({
  queryKey: ['schedule'],
  queryFn: ({ signal }) => calls.getSchedule({ signal }),
});

/** Under this key lies a visit as the last act on it left it. */
export const placedKey = (id: string) => ['placed', id] as const;

/** What an act on a visit may change beside the lists of visits. */
const BESIDE = ['appointment', 'visit', 'slots', 'doctor', 'doctors', 'desk'];

/** After an act on a visit: forget every list and free time it may have changed. */
export function forgetVisits(client: QueryClient): Promise<unknown> {
  return Promise.all(
    ['appointments', ...BESIDE].map((key) => client.invalidateQueries({ queryKey: [key] })),
  );
}

const swap = (visit: Appointment) => (each: Appointment) => (each._id === visit._id ? visit : each);

/** The list with the changed visit in the place of the old one, and its counts moved along. */
function withVisit(list: calls.Visits, visit: Appointment): calls.Visits {
  const before = list.appointments.find(({ _id }) => _id === visit._id);
  if (!before) return list;
  const counts = list.counts && { ...list.counts };
  if (counts) {
    counts[before.status] -= 1;
    counts[visit.status] += 1;
  }
  return { ...list, counts, appointments: list.appointments.map(swap(visit)) };
}

/**
 * Put a changed visit in place wherever it is shown. A list that shows it keeps its rows, so that
 * nothing slides away under the pointer; every other list, and free times, are asked for anew.
 */
export function placeVisit(client: QueryClient, visit: Appointment): Promise<unknown> {
  const holds = (list: calls.Visits | undefined) =>
    list?.appointments.some((each) => each._id === visit._id) ?? false;
  client.setQueryData(
    appointmentDetailQuery(visit._id).queryKey,
    (detail) => detail && { ...detail, appointment: visit },
  );
  // What is written about it, api/records.ts, holds the visit too.
  client.setQueryData<{ appointment: Appointment }>(
    ['visit', visit._id],
    (file) => file && { ...file, appointment: visit },
  );
  client.setQueriesData<calls.Visits>({ queryKey: ['appointments'] }, (list) =>
    list && holds(list) ? withVisit(list, visit) : list,
  );
  client.setQueryData(placedKey(visit._id), visit);
  // The desk asks anew below, and keeps by itself the rows that were dealt with on it.
  // Its query, in api/desk.ts, is no business of patients' pages.
  client.setQueryData<Dashboard>(['desk', 'dashboard'], (desk) => desk && onDashboard(desk, visit));
  client.invalidateQueries({ queryKey: ['appointments'], refetchType: 'none' });
  return Promise.all([
    client.refetchQueries({
      queryKey: ['appointments'],
      type: 'active',
      predicate: (query) => !holds(query.state.data as calls.Visits | undefined),
    }),
    // What else its page shows, the history say, is not in the answer to an act.
    ...BESIDE.map((key) => client.invalidateQueries({ queryKey: [key] })),
  ]);
}

function onDashboard(desk: Dashboard, visit: Appointment): Dashboard {
  const rows = Object.entries(desk).map(([name, part]) => [
    name,
    Array.isArray(part) ? part.map(swap(visit)) : part,
  ]);
  return Object.fromEntries(rows) as Dashboard;
}
