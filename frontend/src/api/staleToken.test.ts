import { beforeEach, expect, it, vi } from 'vitest';
import { apiError, ok, stubApi } from '@/testing/apiResponses';
import { call, onSessionEnded } from './client';
import { getToken, setToken } from './token';

const ended = vi.fn();
beforeEach(() => {
  ended.mockReset();
  onSessionEnded(ended);
});

const read = () => call('GET /doctors', { on401: 'again' });
const over = () => apiError(401, 'session_ended', 'Your session has ended.');

it('reads public data without the token if the token was never accepted', async () => {
  setToken('dead');
  stubApi({ 'GET /doctors': () => (getToken() ? over() : ok({ n: 1 })) });
  await expect(read()).resolves.toEqual({ n: 1 });
  expect(ended).not.toHaveBeenCalled();
});

it('goes to sign-in when the session ends during a request', async () => {
  setToken('alive');
  const replies = [() => ok({ n: 1 }), over];
  stubApi({ 'GET /doctors': () => (replies.shift() as () => Response)() });
  await read();
  await expect(read()).rejects.toMatchObject({ status: 401 });
  expect(getToken()).toBeNull();
  expect(ended).toHaveBeenCalledOnce();
});
