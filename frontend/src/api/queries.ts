import { keepPreviousData, QueryClient, queryOptions } from '@tanstack/react-query';
import * as calls from './calls';
import { ApiError } from './errors';

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

export const slotsQuery = (id: string, query: { from?: string; days?: number } = {}) =>
  queryOptions({
    queryKey: ['slots', id, query],
    queryFn: ({ signal }) => calls.getSlots(id, query, { signal }),
    staleTime: 10_000,
  });

export const appointmentsQuery = (query: calls.AppointmentsQuery = {}) =>
  queryOptions({
    queryKey: ['appointments', query],
    queryFn: ({ signal }) => calls.getAppointments(query, { signal }),
    placeholderData: keepPreviousData,
  });

export const appointmentQuery = (id: string) =>
  queryOptions({
    queryKey: ['appointment', id],
    queryFn: ({ signal }) => calls.getAppointment(id, { signal }),
  });

/** After an act on a visit: forget every list and free time it may have changed. */
export function forgetVisits(client: QueryClient): Promise<unknown> {
  return Promise.all(
    ['appointments', 'appointment', 'slots', 'doctor', 'doctors'].map((key) =>
      client.invalidateQueries({ queryKey: [key] }),
    ),
  );
}
