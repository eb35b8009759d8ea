import { beforeEach, describe, expect, it, vi } from 'vitest';
import { apiError, apiResponse, ok, stubApi } from '@/testing/apiResponses';
import { call, onSessionEnded, send, toFormData } from './client';
import { type ApiError, messageOf } from './errors';
import { createQueryClient, doctorsQuery, getConfig } from './queries';
import { getProfile, logIn } from './session';
import { getToken, setToken } from './token';

const ended = vi.fn();

beforeEach(() => {
  ended.mockReset();
  onSessionEnded(ended);
  setToken('abc');
});

async function failure(promise: Promise<unknown>): Promise<ApiError> {
  return promise.then(
    () => expect.fail('the call went through'),
    (error) => error as ApiError,
  );
}

describe('the envelope', () => {
  it('sends the token and unwraps the response', async () => {
    const fetch = stubApi({ 'GET /doctors': () => ok({ a: 1 }, 'Done') });
    expect(
      await send('GET /doctors', { query: { search: 'b c', city: undefined, ordering: '' } }),
    ).toEqual({
      data: { a: 1 },
      message: 'Done',
      status: 200,
    });
    const [url, init] = fetch.mock.calls[0] ?? [];
    expect(url).toBe('/api/doctors?search=b+c');
    expect(init?.headers).toMatchObject({ Authorization: 'Bearer abc' });
  });

  it('sends no header when there is no token', async () => {
    setToken(null);
    const fetch = stubApi({ 'GET /auth/sessions': () => ok({}) });
    await call('GET /auth/sessions');
    expect(fetch.mock.calls[0]?.[1]?.headers).not.toHaveProperty('Authorization');
  });

  it('turns an error response into an ApiError with its code, message, field errors and data', async () => {
    stubApi({
      'POST /auth/logout': () =>
        apiResponse(
          429,
          { message: 'Slow down', code: 'too_many', errors: { a: ['b'] }, data: { c: 1 } },
          { 'Retry-After': '30' },
        ),
    });
    expect(await failure(call('POST /auth/logout'))).toMatchObject({
      status: 429,
      code: 'too_many',
      message: 'Slow down',
      errors: { a: ['b'] },
      data: { c: 1 },
      retryAfter: 30,
      isOutage: true,
    });
  });

  it('reports a response that is not JSON as an error', async () => {
    stubApi({ 'GET /auth/sessions': () => apiResponse(502, '<html>Bad gateway</html>') });
    const error = await failure(call('GET /auth/sessions'));
    expect(error.status).toBe(502);
    expect(messageOf(error, 'Failed')).toBe('Failed');
  });

  it('reports an unreachable server as a network error', async () => {
    stubApi({ 'GET /auth/sessions': () => new TypeError('Failed to fetch') });
    const error = await failure(call('GET /auth/sessions'));
    expect(error).toMatchObject({ status: 0, code: 'network', isOutage: true });
    expect(messageOf(error, 'Login failed')).toBe(
      'Login failed. Check your connection and try again.',
    );
    expect(getToken()).toBe('abc');
  });

  it('times out after ten seconds', async () => {
    vi.useFakeTimers();
    try {
      vi.stubGlobal(
        'fetch',
        (_: string, init: RequestInit) =>
          new Promise((_resolve, reject) => {
            init.signal?.addEventListener('abort', () => reject(new Error('aborted')));
          }),
      );
      const waiting = failure(call('GET /auth/sessions'));
      await vi.advanceTimersByTimeAsync(10_000);
      expect(await waiting).toMatchObject({ status: 0, code: 'timeout' });
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a 401', () => {
  const over = () => apiError(401, 'session_ended', 'Your session has ended.');

  it('removes the token and ends the session', async () => {
    stubApi({ 'GET /appointments': over });
    await failure(call('GET /appointments'));
    expect(getToken()).toBeNull();
    expect(ended).toHaveBeenCalledTimes(1);
  });

  it('leaves the session alone when the sign-in request fails', async () => {
    stubApi({ 'POST /auth/login': () => apiError(401, 'login_failed', 'Wrong') });
    const error = await failure(logIn({ email: 'a', password: 'b', role: 'patient' }));
    expect(error.message).toBe('Wrong');
    expect(getToken()).toBe('abc');
    expect(ended).not.toHaveBeenCalled();
  });

  it('removes the token without a redirect when the initial profile request fails', async () => {
    stubApi({ 'GET /auth/profile': over });
    await failure(getProfile());
    expect(getToken()).toBeNull();
    expect(ended).not.toHaveBeenCalled();
  });

  it('retries a public request without the token if the token was never accepted', async () => {
    setToken('dead');
    const fetch = stubApi({
      // This endpoint ignores tokens, so its response must not mark the token as accepted.
      'GET /config': () => ok({}),
      'GET /doctors': () => (getToken() ? over() : ok({ doctors: [] })),
    });
    await getConfig();
    expect(fetch.mock.calls[0]?.[1]?.headers).not.toHaveProperty('Authorization');
    expect(await createQueryClient().fetchQuery(doctorsQuery({}))).toEqual({ doctors: [] });
    expect(getToken()).toBeNull();
    expect(ended).not.toHaveBeenCalled();
  });

  it('leaves a newer session alone if the request used an old token', async () => {
    stubApi({
      'GET /appointments': () => {
        setToken('new');
        return over();
      },
    });
    await failure(call('GET /appointments'));
    expect(getToken()).toBe('new');
    expect(ended).not.toHaveBeenCalled();
  });
});

it.each([403, 404, 409, 500])('keeps the token on status %i', async (status) => {
  stubApi({ 'GET /auth/sessions': () => apiError(status, 'x') });
  await failure(call('GET /auth/sessions'));
  expect(getToken()).toBe('abc');
});

it('builds multipart form data with JSON parts', () => {
  const form = toFormData({ name: 'A', hospital: { name: 'B' }, days: ['monday'], no: null });
  expect([...form.entries()]).toEqual([
    ['name', 'A'],
    ['hospital', '{"name":"B"}'],
    ['days', '["monday"]'],
  ]);
});
