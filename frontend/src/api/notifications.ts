import { queryOptions } from '@tanstack/react-query';
import {
  applyAuthStatus,
  type BodyOf,
  type CallOptions,
  call,
  parseJson,
  type QueryOf,
  send,
  toApiError,
} from './client';
import { ApiError } from './errors';
import { keepPreviousData } from './queries';
import { getToken } from './token';
import type { Unread } from './types';
import { apiUrl } from './url';

/** In-app notifications, with the same texts as the emails. */

type Signal = Pick<CallOptions, 'signal'>;

/** Mark some as read, or all. */
export const markNotificationsRead = (body: BodyOf<'PUT /notices/read'>) =>
  call('PUT /notices/read', { body });

/** The last response and its ETag, for one session. */
let cached: { token: string; etag: string; unread: Unread } | null = null;

/**
 * Poll the unread count. Nobody needs to be present, so this does not postpone
 * the sign-out for idleness. Most responses are 304.
 */
export async function getUnread({ signal }: Signal = {}): Promise<Unread> {
  const token = getToken();
  const current = cached !== null && cached.token === token ? cached : null;
  let response: Response;
  let text: string;
  try {
    response = await fetch(apiUrl('/notices/unread'), {
      headers: {
        Accept: 'application/json',
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(current && { 'If-None-Match': current.etag }),
      },
      signal,
    });
    text = await response.text();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, { code: 'network' });
  }
  if (response.status === 304 && current) return current.unread;
  if (response.status === 401) applyAuthStatus(token, 401);
  const envelope = parseJson(text);
  if (!response.ok || !envelope) {
    throw toApiError(response.status, envelope, response.headers.get('Retry-After'));
  }
  const unread = envelope.data as Unread;
  const etag = response.headers.get('ETag');
  cached = token && etag ? { token, etag, unread } : null;
  return unread;
}

/** Format the count; counting stops at 100. */
export const unreadCount = (unread: number) => (unread > 99 ? '99+' : String(unread));

export const POLL_MS = 12_000;

/** Refetched while the page is visible, and as soon as it is visible again. */
export const unreadQuery = queryOptions({
  queryKey: ['unread'],
  queryFn: ({ signal }) => getUnread({ signal }),
  refetchInterval: POLL_MS,
  refetchIntervalInBackground: false,
  refetchOnWindowFocus: 'always',
  staleTime: 5_000,
  retry: false,
});

export const notificationsQuery = (query: QueryOf<'GET /notices'>) =>
  queryOptions({
    queryKey: ['notices', query],
    queryFn: ({ signal }) => call('GET /notices', { signal, query }),
    placeholderData: keepPreviousData,
  });

export const notificationSettingsQuery = queryOptions({
  queryKey: ['notice-settings'],
  queryFn: ({ signal }) => call('GET /auth/notice-settings', { signal }),
});

/** Change some settings; absent ones stay. */
export const saveNotificationSettings = (body: BodyOf<'PUT /auth/notice-settings'>) =>
  send('PUT /auth/notice-settings', { body });

/** Whether a calendar feed address exists; the address itself is shown once, when it is created. */
export const calendarFeedQuery = queryOptions({
  queryKey: ['calendar-feed'],
  queryFn: ({ signal }) => call('GET /auth/calendar-feed', { signal }),
});

/** Create the address or replace it. */
export const createCalendarFeed = () => send('POST /auth/calendar-feed');

/** Revoke the address, so that it can no longer be read. */
export const deleteCalendarFeed = () => send('DELETE /auth/calendar-feed');
