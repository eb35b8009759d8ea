import { queryOptions } from '@tanstack/react-query';
import { call, type QueryOf, send } from './client';
import { keepPreviousData } from './queries';

/** Requests of the admin pages: appointments, audit log, access log, analytics. */

export type AuditLogQuery = QueryOf<'GET /admin/audit'>;

export const adminAppointmentsQuery = (query: QueryOf<'GET /admin/records'>) =>
  queryOptions({
    // Under the key of appointment lists, so that an updated appointment replaces its row here too.
    queryKey: ['appointments', 'all', query],
    queryFn: ({ signal }) => call('GET /admin/records', { signal, query }),
    placeholderData: keepPreviousData,
  });

/** Cancel any live appointment; patient and doctor read the reason. */
export const cancelAsAdmin = (id: string, reason: string) =>
  send('PUT /admin/appointments/{id}/cancel', { path: { id }, body: { reason } });

export const auditLogQuery = (query: AuditLogQuery) =>
  queryOptions({
    queryKey: ['audit-log', query],
    queryFn: ({ signal }) => call('GET /admin/audit', { signal, query }),
    placeholderData: keepPreviousData,
    // Each request is written to the audit log, so refocusing the window must not cause one.
    refetchOnWindowFocus: false,
  });

export const accessLogQuery = (query: QueryOf<'GET /admin/readings'>) =>
  queryOptions({
    queryKey: ['readings', query],
    queryFn: ({ signal }) => call('GET /admin/readings', { signal, query }),
    placeholderData: keepPreviousData,
    // Each request is written to the audit log, so refocusing the window must not cause one.
    refetchOnWindowFocus: false,
  });

export const analyticsQuery = (query: QueryOf<'GET /admin/analytics'>) =>
  queryOptions({
    queryKey: ['analytics', query],
    queryFn: ({ signal }) => call('GET /admin/analytics', { signal, query }),
    placeholderData: keepPreviousData,
  });
