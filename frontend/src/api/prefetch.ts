import { apiUrl } from './url';

/**
 * Prefetch a page's first requests while its code is loading. `app/boot.ts` starts them before
 * anything is painted; `client.ts` uses each response once, instead of its own request.
 */

/** The doctors of the home page. */
export const FEATURED_DOCTORS_QUERY = { ordering: '-experience', pageSize: 5 };
/** The days of free times to load; the server lists at most this many at once. */
export const SLOT_WINDOW_DAYS = 62;
/** Responses not used within this time are stale; code loads slowly on slow connections. */
const MAX_AGE_MS = 30_000;

interface Prefetched {
  /** The requesting token: a visitor's response is not valid for a user. */
  token: string | null;
  requestedAt: number;
  answer: Promise<Response>;
  abort: AbortController;
}

declare global {
  interface Window {
    /** By URL. */
    prefetched?: Map<string, Prefetched>;
  }
}

/** Return the first requests of a page; `prefetch.test.tsx` compares them with the page's own. */
export function prefetchUrls(pathname: string, search: string): string[] {
  if (pathname === '/') return [apiUrl('/doctors', FEATURED_DOCTORS_QUERY)];
  if (pathname === '/patient/doctors') {
    return search ? [] : [apiUrl('/doctors'), apiUrl('/doctors/filters')];
  }
  const id = /^\/(?:doctors|patient\/book-appointment)\/([\w-]+)$/.exec(pathname)?.[1];
  if (!id) return [];
  return [apiUrl(`/doctors/${id}`), apiUrl(`/doctors/${id}/slots`, { days: SLOT_WINDOW_DAYS })];
}

/** Start the page's first requests, and the profile request if there is a token. */
export function prefetch({ pathname, search }: Location, token: string | null): void {
  const headers = {
    Accept: 'application/json',
    ...(token && { Authorization: `Bearer ${token}` }),
  };
  const calls = prefetchUrls(pathname, search);
  const requestedAt = performance.now();
  if (token) calls.unshift(apiUrl('/auth/profile'));
  window.prefetched = new Map(
    calls.map((call) => {
      const abort = new AbortController();
      const answer = fetch(call, { headers, signal: abort.signal });
      // The caller that uses the response handles a failure.
      answer.catch(() => {});
      return [call, { token, requestedAt, answer, abort }];
    }),
  );
}

/** Return and remove the prefetched response of a URL, if it was requested with the same token. */
export function takePrefetched(call: string, token: string | null): Prefetched | undefined {
  const ahead = window.prefetched?.get(call);
  if (!ahead || ahead.token !== token) return undefined;
  window.prefetched?.delete(call);
  return performance.now() - ahead.requestedAt < MAX_AGE_MS ? ahead : undefined;
}
