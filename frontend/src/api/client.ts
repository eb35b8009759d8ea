import { ApiError } from './errors';
import { takePrefetched } from './prefetch';
import { getToken, setToken } from './token';
import { apiUrl, type Query } from './url';

/** The specification's request timeout: for a call as a whole, its second try included. */
const TIMEOUT_MS = 10_000;
const RETRY_DELAY_MS = 500;

export interface CallOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  query?: Query;
  /** An object is sent as JSON, FormData as multipart. */
  body?: unknown;
  signal?: AbortSignal;
  /** The call outlives the page that made it. */
  keepalive?: boolean;
  /** For calls that carry files; others have ten seconds. */
  timeoutMs?: number;
  /** Sent without the token, of which the server would take no notice: the answer proves nothing of it. */
  anonymous?: boolean;
  /**
   * What a 401 does: `redirect` ends the session and goes to sign-in; `quiet` only removes the
   * token (the check at start); `keep` touches nothing (the answer to signing in itself); `again`
   * (what everybody may read) asks once more signed out when the token was dead from the start,
   * and is `redirect` for a session that ends under way.
   */
  on401?: 'redirect' | 'quiet' | 'keep' | 'again';
}

export interface ApiResponse<T> {
  data: T;
  message: string;
  status: number;
}

/** The token that the server has accepted in this page's life. */
let accepted: string | null = null;
let sessionEnded: () => void = () => {};
let contacted: () => void = () => {};

/** Say what happens when the server ends the session; the router lives elsewhere. */
export function onSessionEnded(handler: () => void): void {
  sessionEnded = handler;
}

/** Say what happens after each authorised answer; the idle clock restarts there. */
export function onContact(handler: () => void): void {
  contacted = handler;
}

function request(token: string | null, options: CallOptions, signal: AbortSignal): RequestInit {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (token) headers.Authorization = `Bearer ${token}`;
  const { body } = options;
  const isForm = body instanceof FormData;
  if (body !== undefined && !isForm) headers['Content-Type'] = 'application/json';
  return {
    method: options.method ?? 'GET',
    headers,
    signal,
    ...(options.keepalive && { keepalive: true }),
    body: body === undefined ? undefined : isForm ? body : JSON.stringify(body),
  };
}

function retryAfterOf(value: string | null): number | null {
  const seconds = Number(value);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}

/**
 * Call the API and return the whole response, its envelope opened.
 *
 * A read that fails in passing (no connection, a 5xx) is tried once more within the same deadline.
 * Raises ApiError for every refusal and when no response arrives in time; an abort by the caller's
 * own signal is rethrown unchanged.
 */
export async function send<T>(path: string, options: CallOptions = {}): Promise<ApiResponse<T>> {
  const token = options.anonymous ? null : getToken();
  // What was requested before the page began is taken from there, once.
  const ahead = options.method ? undefined : takePrefetched(apiUrl(path, options.query), token);
  const abort = ahead?.abort ?? new AbortController();
  const timer = setTimeout(() => abort.abort('timeout'), options.timeoutMs ?? TIMEOUT_MS);
  const follow = () => abort.abort(options.signal?.reason);
  if (options.signal?.aborted) follow();
  options.signal?.addEventListener('abort', follow);

  try {
    return await exchange<T>(path, options, token, abort, ahead?.answer);
  } catch (error) {
    if (options.method || !mayPass(error) || abort.signal.aborted) throw error;
    await pause(RETRY_DELAY_MS, abort.signal);
    // The signal is checked by fetch: after the deadline this fails at once.
    return await exchange<T>(path, options, token, abort);
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', follow);
  }
}

/** Whether a second try may help: not after the deadline, not without a network, not when asked to wait. */
function mayPass(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (error.code === 'network' || error.status >= 500) &&
    error.retryAfter === null &&
    window.navigator.onLine
  );
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Make one request and open its response. */
async function exchange<T>(
  path: string,
  options: CallOptions,
  token: string | null,
  abort: AbortController,
  requested?: Promise<Response>,
): Promise<ApiResponse<T>> {
  let response: Response;
  let envelope: Record<string, unknown> | null;
  try {
    response = await (requested ??
      fetch(apiUrl(path, options.query), request(token, options, abort.signal)));
    // The body counts towards the ten seconds too. Proxies may respond with something other than JSON.
    const text = await response.text();
    envelope = parse(text);
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new ApiError(0, { code: abort.signal.aborted ? 'timeout' : 'network' });
  }

  const again = options.on401 === 'again' && token !== null && token !== accepted;
  applyAuthStatus(token, response.status, again ? 'quiet' : options.on401);
  if (response.status === 401 && again) return exchange(path, options, getToken(), abort);
  if (!response.ok || !envelope) {
    throw refusalOf(
      response.ok ? 502 : response.status,
      envelope,
      response.headers.get('Retry-After'),
    );
  }
  return {
    data: (envelope.data ?? {}) as T,
    message: typeof envelope.message === 'string' ? envelope.message : '',
    status: response.status,
  };
}

/** Call the API and give back `data` alone. */
export async function call<T>(path: string, options: CallOptions = {}): Promise<T> {
  return (await send<T>(path, options)).data;
}

/** Take in what an answer says about the session: that it goes on, or that it has ended. */
export function applyAuthStatus(
  token: string | null,
  status: number,
  on401: NonNullable<CallOptions['on401']> = 'redirect',
): void {
  if (status === 401) endSession(token, on401);
  else if (token && status < 500) {
    accepted = token;
    contacted();
  }
}

/** The error for an answer that is no success. */
export function refusalOf(
  status: number,
  envelope: Record<string, unknown> | null,
  retryAfter: string | null,
): ApiError {
  return new ApiError(status, envelope ?? {}, retryAfterOf(retryAfter));
}

/** Open an answer's JSON; null when it is none. */
export function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function endSession(token: string | null, how: NonNullable<CallOptions['on401']>): void {
  if (how === 'keep') return;
  // A late answer to an old token must not end the session that was begun meanwhile.
  if (token !== getToken()) return;
  setToken(null);
  if (how !== 'quiet') sessionEnded();
}

/** Multipart from an object: files as they are, objects and lists as JSON parts, the rest as text. */
export function toFormData(values: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === null) continue;
    if (value instanceof Blob) form.append(name, value);
    else if (typeof value === 'object') form.append(name, JSON.stringify(value));
    else form.append(name, String(value));
  }
  return form;
}
