import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, send } from './client';
import type { Analytics, Appointment, AuditEvent, Page } from './types';

/** What staff look up: all visits, the audit trail, the figures of a period. */

interface RecordsQuery {
  search?: string;
  status?: string;
  attended?: string;
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
    // Among the lists of visits, so that an act on one puts it in place here too.
    queryKey: ['appointments', 'all', query],
    queryFn: ({ signal }) => call<Records>('/admin/records', { signal, query: { ...query } }),
    placeholderData: keepPreviousData,
  });

/** Cancel any live visit; patient and doctor read the reason. */
export const cancelAsStaff = (id: string, reason: string) =>
  send<{ appointment: Appointment }>(`/admin/appointments/${encodeURIComponent(id)}/cancel`, {
    method: 'PUT',
    body: { reason },
  });

export interface TrailQuery {
  event?: string;
  agent?: string;
  entityType?: string;
  entity?: string;
  outcome?: string;
  requestId?: string;
  from?: string;
  to?: string;
}

export interface Trail {
  events: AuditEvent[];
  pagination: Page;
}

export const trailQuery = (query: TrailQuery & { page?: number; pageSize?: number }) =>
  queryOptions({
    queryKey: ['trail', query],
    queryFn: ({ signal }) => call<Trail>('/admin/audit', { signal, query: { ...query } }),
    placeholderData: keepPreviousData,
    // Each look at the trail is written to it; coming back to the window is none.
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
