import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { apiError, apiResponse } from '@/testing/apiResponses';
import { onAuthenticatedResponse, onSessionEnded } from './client';
import { getUnread, unreadCount } from './notifications';
import { getToken, setToken } from './token';

const contact = vi.fn();
const ended = vi.fn();
const unread = { unread: 2, latest: null };
let replies: Response[];
let fetch: ReturnType<typeof vi.fn<(url: string, init: RequestInit) => Promise<Response>>>;

const sentTag = (call: number) =>
  new Headers(fetch.mock.calls[call]?.[1].headers).get('If-None-Match');
const tagged = (tag: string, data: object = unread) =>
  apiResponse(200, { success: true, data }, { ETag: tag });

let session = 0;
beforeEach(() => {
  session += 1;
  setToken(`token ${session}`);
  onAuthenticatedResponse(contact);
  onSessionEnded(ended);
  contact.mockReset();
  ended.mockReset();
  replies = [];
  fetch = vi.fn(async () => replies.shift() ?? apiError(500, 'error'));
  vi.stubGlobal('fetch', fetch);
});
afterEach(() => {
  onAuthenticatedResponse(() => {});
  onSessionEnded(() => {});
});

it('sends the last ETag and reuses the last response on 304', async () => {
  replies = [
    tagged('"a"'),
    new Response(null, { status: 304 }),
    tagged('"b"', { unread: 3, latest: null }),
  ];
  expect(await getUnread()).toEqual(unread);
  expect(await getUnread()).toEqual(unread);
  expect((await getUnread()).unread).toBe(3);
  expect([0, 1, 2].map(sentTag)).toEqual([null, '"a"', '"a"']);
});

it('does not keep an idle session alive', async () => {
  replies = [tagged('"a"'), new Response(null, { status: 304 })];
  await getUnread();
  await getUnread();
  expect(contact).not.toHaveBeenCalled();
});

it('does not reuse the response of the previous user', async () => {
  replies = [tagged('"a"'), tagged('"b"')];
  await getUnread();
  setToken('somebody else');
  await getUnread();
  expect(sentTag(1)).toBeNull();
});

it('ends the session on 401', async () => {
  replies = [apiError(401, 'session_ended')];
  await expect(getUnread()).rejects.toMatchObject({ status: 401 });
  expect(getToken()).toBeNull();
  expect(ended).toHaveBeenCalledOnce();
});

it('keeps the session when the server fails or is unreachable', async () => {
  replies = [apiError(503, 'unavailable')];
  await expect(getUnread()).rejects.toMatchObject({ status: 503 });
  fetch.mockRejectedValueOnce(new TypeError('failed'));
  await expect(getUnread()).rejects.toMatchObject({ status: 0, code: 'network' });
  expect(getToken()).toBe(`token ${session}`);
});

it('shows 99+ for more than 99 unread notifications', () => {
  expect([0, 99, 100].map(unreadCount)).toEqual(['0', '99', '99+']);
});
