import { apiUrl } from './url';

/**
 * What a page asks for first, asked while its code is still on the way. `early.ts` asks, before
 * anything is painted; `client.ts` takes each answer once, in the place of a call of its own.
 */

/** The doctors of the home page. */
export const FEATURED_DOCTORS_QUERY = { ordering: '-experience', pageSize: 5 };
/** Free times are shown this many days ahead; the server lists at most so many at once. */
export const SLOT_WINDOW_DAYS = 62;
/** An answer that nobody took within this time is old; on a slow line the code needs long. */
const MAX_AGE_MS = 30_000;

interface Prefetched {
  /** Who asked: an answer to a visitor is none to a signed-in person. */
  token: string | null;
  requestedAt: number;
  answer: Promise<Response>;
  abort: AbortController;
}

declare global {
  interface Window {
    /** By the address of the call. */
    prefetched?: Map<string, Prefetched>;
  }
}

/** The calls of a page, which ahead.test.tsx holds to what the page itself asks for. */
export function prefetchUrls(pathname: string, search: string): string[] {
  if (pathname === '/') return [apiUrl('/doctors', FEATURED_DOCTORS_QUERY)];
  if (pathname === '/patient/doctors') {
    return search ? [] : [apiUrl('/doctors'), apiUrl('/doctors/filters')];
  }
  const id = /^\/(?:doctors|patient\/book-appointment)\/([\w-]+)$/.exec(pathname)?.[1];
  if (!id) return [];
  return [apiUrl(`/doctors/${id}`), apiUrl(`/doctors/${id}/slots`, { days: SLOT_WINDOW_DAYS })];
}

/** Ask now what the page will ask for, and who the person is if there is a token. */
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
      // The one who takes it sees a failure.
      answer.catch(() => {});
      return [call, { token, requestedAt, answer, abort }];
    }),
  );
}

/** Take what was asked ahead under this address by the same person, if it was. */
export function takePrefetched(call: string, token: string | null): Prefetched | undefined {
  const ahead = window.prefetched?.get(call);
  if (!ahead || ahead.token !== token) return undefined;
  window.prefetched?.delete(call);
  return performance.now() - ahead.requestedAt < MAX_AGE_MS ? ahead : undefined;
}
