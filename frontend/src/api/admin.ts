import { queryOptions } from '@tanstack/react-query';
import { call, send } from './client';
import { keepPreviousData } from './queries';
import type { Analytics, Appointment, AuditEvent, Page, ReadingsData } from './types';

/** What staff look up: all appointments, the audit trail, the figures of a period. */

interface RecordsQuery {
  search?: string;
  status?: string;
  attended?: string;
  specialization?: string;
  city?: string;
  dates?: string;
  from?: string;
  to?: string;
  page?: number;
  pageSize?: number;
}

export interface Records {
  appointments: Appointment[];
  pagination: Page;
}

export const recordsQuery = (query: RecordsQuery) =>
  queryOptions({
    // Among the lists of appointments, so that an act on one puts it in place here too.
    queryKey: ['appointments', 'all', query],
    queryFn: ({ signal }) => call<Records>('/admin/records', { signal, query: { ...query } }),
    placeholderData: keepPreviousData,
  });

/** Cancel any live appointment; patient and doctor read the reason. */
export const cancelAsAdmin = (id: string, reason: string) =>
  send<{ appointment: Appointment; changed: boolean }>(
    `/admin/appointments/${encodeURIComponent(id)}/cancel`,
    {
      method: 'PUT',
      body: { reason },
    },
  );

export interface AuditLogQuery {
  event?: string;
  agent?: string;
  entityType?: string;
  entity?: string;
  outcome?: string;
  requestId?: string;
  from?: string;
  to?: string;
}

export interface AuditLog {
  events: AuditEvent[];
  pagination: Page;
}

export const auditLogQuery = (query: AuditLogQuery & { page?: number; pageSize?: number }) =>
  queryOptions({
    queryKey: ['trail', query],
    queryFn: ({ signal }) => call<AuditLog>('/admin/audit', { signal, query: { ...query } }),
    placeholderData: keepPreviousData,
    // Each look at the trail is written to it; coming back to the window is none.
    refetchOnWindowFocus: false,
  });

export interface ReadingsQuery {
  actor?: string;
  person?: string;
  from?: string;
  to?: string;
}

export const readingsQuery = (query: ReadingsQuery & { page?: number; pageSize?: number }) =>
  queryOptions({
    queryKey: ['readings', query],
    queryFn: ({ signal }) => call<ReadingsData>('/admin/readings', { signal, query: { ...query } }),
    placeholderData: keepPreviousData,
    // Each look is written to the audit log; coming back to the window is none.
    refetchOnWindowFocus: false,
  });

interface FiguresQuery {
  from?: string;
  to?: string;
  by?: string;
  specialization?: string;
  city?: string;
}

export const analyticsQuery = (query: FiguresQuery) =>
  queryOptions({
    queryKey: ['analytics', query],
    queryFn: ({ signal }) => call<Analytics>('/admin/analytics', { signal, query: { ...query } }),
    placeholderData: keepPreviousData,
  });
