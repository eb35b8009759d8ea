import { onlineManager } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { apiError, ok, stubApi } from '@/testing/apiResponses';
import { call } from './client';
import { messageOf } from './errors';
import { createQueryClient, doctorsQuery } from './queries';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  onlineManager.setOnline(true);
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A server that takes calls and never responds; it counts them. */
function hangs(before: (() => Promise<Response>)[] = []) {
  const spy = vi.fn((_: string, init: RequestInit) => {
    const next = before.shift();
    if (next) return next();
    return new Promise<Response>((_resolve, reject) => {
      const abort = () => reject(new Error('aborted'));
      if (init.signal?.aborted) abort();
      init.signal?.addEventListener('abort', abort);
    });
  });
  vi.stubGlobal('fetch', spy);
  return spy;
}

const outcome = (promise: Promise<unknown>) => {
  const state: { error?: unknown } = {};
  promise.catch((error) => {
    state.error = error;
  });
  return state;
};

it('shows the error of a hanging list after ten seconds and one request', async () => {
  const fetch = hangs();
  const seen = outcome(createQueryClient().fetchQuery(doctorsQuery({})));
  await vi.advanceTimersByTimeAsync(9_900);
  expect(seen.error).toBeUndefined();
  await vi.advanceTimersByTimeAsync(200);
  expect(seen.error).toMatchObject({ code: 'timeout' });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(fetch).toHaveBeenCalledTimes(1);
});

it('shares one deadline between the first request and its retry', async () => {
  const fetch = hangs([
    () =>
      new Promise((_, reject) => setTimeout(() => reject(new TypeError('Failed to fetch')), 6_000)),
  ]);
  const seen = outcome(call('GET /auth/sessions'));
  await vi.advanceTimersByTimeAsync(9_900);
  expect(fetch).toHaveBeenCalledTimes(2);
  expect(seen.error).toBeUndefined();
  await vi.advanceTimersByTimeAsync(200);
  expect(seen.error).toMatchObject({ code: 'timeout' });
});

it('retries a failed read once', async () => {
  const replies = [() => apiError(503, 'unavailable'), () => ok({ n: 1 })];
  const fetch = stubApi({ 'GET /auth/sessions': () => (replies.shift() as () => Response)() });
  const reading = call('GET /auth/sessions');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await reading).toEqual({ n: 1 });
  expect(fetch).toHaveBeenCalledTimes(2);
});

it.each([
  ['an act', 'POST /auth/logout', () => apiError(503, 'unavailable')],
  ['a refusal', 'GET /auth/sessions', () => apiError(404, 'not_found')],
  ['a call that should wait', 'GET /auth/sessions', () => apiError(429, 'too_many')],
] as const)('sends %s only once', async (_, endpoint, reply) => {
  const fetch = stubApi({ [endpoint]: reply });
  const seen = outcome(call(endpoint));
  await vi.advanceTimersByTimeAsync(20_000);
  expect(seen.error).toBeDefined();
  expect(fetch).toHaveBeenCalledTimes(1);
});

it('reads once while offline and explains the error', async () => {
  vi.spyOn(window.navigator, 'onLine', 'get').mockReturnValue(false);
  const fetch = stubApi({ 'GET /auth/sessions': () => new TypeError('Failed to fetch') });
  const seen = outcome(call('GET /auth/sessions'));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(fetch).toHaveBeenCalledTimes(1);
  expect(messageOf(seen.error, 'Failed to fetch appointments')).toBe(
    'Failed to fetch appointments. You’re offline. Try again when you’re back.',
  );
});

it('runs a query from offline time once the network is back', async () => {
  const fetch = stubApi({ 'GET /doctors': () => ok({ doctors: [] }) });
  onlineManager.setOnline(false);
  const client = createQueryClient();
  client.mount();
  const reading = client.fetchQuery(doctorsQuery({}));
  await vi.advanceTimersByTimeAsync(30_000);
  expect(fetch).not.toHaveBeenCalled();
  onlineManager.setOnline(true);
  await vi.advanceTimersByTimeAsync(100);
  expect(await reading).toEqual({ doctors: [] });
  client.unmount();
});
