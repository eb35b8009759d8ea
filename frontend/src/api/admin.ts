import { queryOptions } from '@tanstack/react-query';
import { call, type QueryOf, send } from './client';
import { keepPreviousData } from './queries';

/** What staff look up: all appointments, the audit trail, the figures of a period. */

export type AuditLogQuery = QueryOf<'GET /admin/audit'>;

export const adminAppointmentsQuery = (query: QueryOf<'GET /admin/records'>) =>
  queryOptions({
    // Among the lists of appointments, so that an act on one puts it in place here too.
    queryKey: ['appointments', 'all', query],
    queryFn: ({ signal }) => call('GET /admin/records', { signal, query }),
    placeholderData: keepPreviousData,
  });

/** Cancel any live appointment; patient and doctor read the reason. */
export const cancelAsAdmin = (id: string, reason: string) =>
  send('PUT /admin/appointments/{id}/cancel', { path: { id }, body: { reason } });

export const auditLogQuery = (query: AuditLogQuery) =>
  queryOptions({
    queryKey: ['trail', query],
    queryFn: ({ signal }) => call('GET /admin/audit', { signal, query }),
    placeholderData: keepPreviousData,
    // Each look at the trail is written to it; coming back to the window is none.
    refetchOnWindowFocus: false,
  });

export const accessLogQuery = (query: QueryOf<'GET /admin/readings'>) =>
  queryOptions({
    queryKey: ['readings', query],
    queryFn: ({ signal }) => call('GET /admin/readings', { signal, query }),
    placeholderData: keepPreviousData,
    // Each look is written to the audit log; coming back to the window is none.
    refetchOnWindowFocus: false,
  });

export const analyticsQuery = (query: QueryOf<'GET /admin/analytics'>) =>
  queryOptions({
    queryKey: ['analytics', query],
    queryFn: ({ signal }) => call('GET /admin/analytics', { signal, query }),
    placeholderData: keepPreviousData,
  });
