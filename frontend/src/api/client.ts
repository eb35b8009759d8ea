import { ApiError } from './errors';
import type { Operations } from './generated';
import { takePrefetched } from './prefetch';
import { getToken, setToken } from './token';
import { apiUrl, type Query } from './url';

/** The specification's request timeout, for a call including its retry. */
const TIMEOUT_MS = 10_000;
const RETRY_DELAY_MS = 500;

/** A method and path of docs/openapi.yaml, below /api: `GET /doctors/{user}`. */
export type Endpoint = keyof Operations;

type Input<E extends Endpoint> = Operations[E]['request'];
type Text<T> = { [K in keyof T]: T[K] | string };

/** Query values may be text, such as those from the page's URL. */
export type QueryOf<E extends Endpoint> = Text<NonNullable<Input<E>['query']>>;
export type BodyOf<E extends Endpoint> = NonNullable<Input<E>['body']>;

/** What an endpoint returns in `data`. */
export type DataOf<E extends Endpoint> = Extract<
  Operations[E]['responses'][keyof Operations[E]['responses']],
  { data: unknown }
>['data'];

export interface CallOptions {
  signal?: AbortSignal;
  /** The call outlives the page that made it. */
  keepalive?: boolean;
  /** For calls that carry files; others have ten seconds. */
  timeoutMs?: number;
  /** Sent without the token, which the server would ignore: the response proves nothing about it. */
  anonymous?: boolean;
  /**
   * What a 401 does: `redirect` ends the session and goes to sign-in; `quiet` only removes the
   * token (the profile request at start); `keep` changes nothing (the sign-in request itself); `again`
   * (public data) retries without the token if it was never accepted,
   * and is `redirect` for a session that ends later.
   */
  on401?: 'redirect' | 'quiet' | 'keep' | 'again';
}

/** What an endpoint takes. A body is sent as JSON, or as multipart if it is FormData. */
type Parts<I> = {
  [K in keyof I]: K extends 'body' ? I[K] | FormData : Text<I[K]>;
};

type OptionsOf<E extends Endpoint> = CallOptions & Parts<Omit<Input<E>, 'url' | 'headers'>>;

/** Endpoints that need no input may be called without options. */
type Arguments<E extends Endpoint> =
  CallOptions extends OptionsOf<E> ? [options?: OptionsOf<E>] : [options: OptionsOf<E>];

export interface ApiResponse<T> {
  data: T;
  message: string;
  status: number;
}

/** The last token that the server accepted since the page was loaded. */
let acceptedToken: string | null = null;
let notifySessionEnded: () => void = () => {};
let notifyAuthenticatedResponse: () => void = () => {};

/** Register the handler for a session that the server ended. */
export function onSessionEnded(handler: () => void): void {
  notifySessionEnded = handler;
}

/** Register a handler for each authenticated response; it restarts the idle timer. */
export function onAuthenticatedResponse(handler: () => void): void {
  notifyAuthenticatedResponse = handler;
}

/** A call with its endpoint resolved to a URL. */
interface Call extends CallOptions {
  method: string;
  url: string;
  body?: unknown;
}

interface AnyOptions extends CallOptions {
  path?: Record<string, string | number>;
  query?: Query;
  body?: unknown;
}

function prepareCall(endpoint: Endpoint, options: AnyOptions = {}): Call {
  const [method = '', template = ''] = endpoint.split(' ');
  const path = template.replace(/{(\w+)}/g, (_, name) =>
    encodeURIComponent(options.path?.[name] ?? ''),
  );
  return { ...options, method, url: apiUrl(path, options.query) };
}

function requestInit(
  token: string | null,
  { method, body, keepalive }: Call,
  signal: AbortSignal,
): RequestInit {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (token) headers.Authorization = `Bearer ${token}`;
  const isForm = body instanceof FormData;
  if (body !== undefined && !isForm) headers['Content-Type'] = 'application/json';
  return {
    method,
    headers,
    signal,
    ...(keepalive && { keepalive }),
    body: body === undefined ? undefined : isForm ? body : JSON.stringify(body),
  };
}

function parseRetryAfter(value: string | null): number | null {
  const seconds = Number(value);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}

/**
 * Call the API and return the unwrapped response.
 *
 * A read that fails temporarily (no connection, a 5xx) is retried once within the same deadline.
 * Throws ApiError for every error response and on a timeout; an abort by the caller's
 * own signal is rethrown unchanged.
 */
export async function send<E extends Endpoint>(
  endpoint: E,
  ...[options]: Arguments<E>
): Promise<ApiResponse<DataOf<E>>> {
  const call = prepareCall(endpoint, options as AnyOptions);
  const token = call.anonymous ? null : getToken();
  const isRead = call.method === 'GET';
  // Use the prefetched response, if there is one.
  const ahead = isRead ? takePrefetched(call.url, token) : undefined;
  const abort = ahead?.abort ?? new AbortController();
  const timer = setTimeout(() => abort.abort('timeout'), call.timeoutMs ?? TIMEOUT_MS);
  const follow = () => abort.abort(call.signal?.reason);
  if (call.signal?.aborted) follow();
  call.signal?.addEventListener('abort', follow);

  try {
    return await fetchResponse(call, token, abort, ahead?.answer);
  } catch (error) {
    if (!isRead || !isRetryable(error) || abort.signal.aborted) throw error;
    await wait(RETRY_DELAY_MS, abort.signal);
    // fetch checks the signal: after the deadline this fails immediately.
    return await fetchResponse(call, token, abort);
  } finally {
    clearTimeout(timer);
    call.signal?.removeEventListener('abort', follow);
  }
}

/** Return whether a retry may help: not after the deadline, while offline, or if told to wait. */
function isRetryable(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (error.code === 'network' || error.status >= 500) &&
    error.retryAfter === null &&
    window.navigator.onLine
  );
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Make one request and unwrap its response. */
async function fetchResponse<T>(
  call: Call,
  token: string | null,
  abort: AbortController,
  prefetchedResponse?: Promise<Response>,
): Promise<ApiResponse<T>> {
  let response: Response;
  let envelope: Record<string, unknown> | null;
  try {
    response = await (prefetchedResponse ??
      fetch(call.url, requestInit(token, call, abort.signal)));
    // The body counts towards the ten seconds too. Proxies may respond with something other than JSON.
    const text = await response.text();
    envelope = parseJson(text);
  } catch (error) {
    if (call.signal?.aborted) throw error;
    throw new ApiError(0, { code: abort.signal.aborted ? 'timeout' : 'network' });
  }

  const again = call.on401 === 'again' && token !== null && token !== acceptedToken;
  applyAuthStatus(token, response.status, again ? 'quiet' : call.on401);
  if (response.status === 401 && again) return fetchResponse(call, getToken(), abort);
  if (!response.ok || !envelope) {
    throw toApiError(
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

/** Call the API and return `data` alone. */
export async function call<E extends Endpoint>(
  endpoint: E,
  ...args: Arguments<E>
): Promise<DataOf<E>> {
  return (await send(endpoint, ...args)).data;
}

/** Update the session by a response's status: it goes on, or it has ended. */
export function applyAuthStatus(
  token: string | null,
  status: number,
  on401: NonNullable<CallOptions['on401']> = 'redirect',
): void {
  if (status === 401) endSession(token, on401);
  else if (token && status < 500) {
    acceptedToken = token;
    notifyAuthenticatedResponse();
  }
}

/** Return the error for an unsuccessful response. */
export function toApiError(
  status: number,
  envelope: Record<string, unknown> | null,
  retryAfter: string | null,
): ApiError {
  return new ApiError(status, envelope ?? {}, parseRetryAfter(retryAfter));
}

/** Parse a JSON object; return null if the text is none. */
export function parseJson(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function endSession(token: string | null, on401: NonNullable<CallOptions['on401']>): void {
  if (on401 === 'keep') return;
  // A late response to an old token must not end a newer session.
  if (token !== getToken()) return;
  setToken(null);
  if (on401 !== 'quiet') notifySessionEnded();
}

/** Build multipart form data: files as they are, objects and lists as JSON parts, the rest as text. */
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
