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

/** What a person is told, in the page: the same words as by mail. */

type Signal = Pick<CallOptions, 'signal'>;

/** Mark some as read, or all. */
export const markNotificationsRead = (body: BodyOf<'PUT /notices/read'>) =>
  call('PUT /notices/read', { body });

/** The last answer and its tag, of one session. */
let cached: { token: string; etag: string; unread: Unread } | null = null;

/**
 * Ask how many are unread, as a page does by itself: nobody need be there, so it is no contact that
 * would put off the sign-out for idleness. Most answers say that nothing has changed, and hold nothing.
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

/** How many, as people read it: counting stops at 100. */
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

/** Change some; what is absent stays. */
export const saveNotificationSettings = (body: BodyOf<'PUT /auth/notice-settings'>) =>
  send('PUT /auth/notice-settings', { body });

/** Whether calendar programs have an address to read; the address itself is shown once, when it is made. */
export const calendarFeedQuery = queryOptions({
  queryKey: ['calendar-feed'],
  queryFn: ({ signal }) => call('GET /auth/calendar-feed', { signal }),
});

/** Make an address, or another one in its place. */
export const createCalendarFeed = () => send('POST /auth/calendar-feed');

/** Revoke the address, so that it can no longer be read. */
export const deleteCalendarFeed = () => send('DELETE /auth/calendar-feed');
