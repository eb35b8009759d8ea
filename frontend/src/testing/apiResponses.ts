import { vi } from 'vitest';

type Body = Record<string, unknown>;
type Reply = Response | Error;

/** An answer of the API as it comes over the wire. */
export function apiResponse(
  status: number,
  body: Body | string,
  headers: HeadersInit = {},
): Response {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return new Response(text, { status, headers });
}

export function ok(data: unknown, message = ''): Response {
  return apiResponse(200, { success: true, message, data: data as Body });
}

export function apiError(
  status: number,
  code: string,
  message = '',
  errors: Body = {},
  data: Body = {},
): Response {
  return apiResponse(status, { success: false, code, message, errors, data });
}

/** Mock calls by `METHOD /path`; anything else is a failing test. Gives the spy. */
export function stubApi(replies: Record<string, () => Reply>) {
  const spy = vi.fn(async (input: RequestInfo | URL, init?: RequestInit) => {
    const [path] = String(input).replace('/api', '').split('?');
    const key = `${init?.method ?? 'GET'} ${path}`;
    const reply = replies[key]?.();
    if (!reply) throw new Error(`No answer is staged for ${key}`);
    if (reply instanceof Error) throw reply;
    return reply;
  });
  vi.stubGlobal('fetch', spy);
  return spy;
}
