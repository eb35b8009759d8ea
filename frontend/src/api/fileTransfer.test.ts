import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { apiError, apiResponse, stubApi } from '@/testing/apiResponses';
import { onSessionEnded } from './client';
import type { ApiError } from './errors';
import { download, fileName, upload } from './fileTransfer';
import { setToken } from './token';

const saved: { name: string; type: string; text: string }[] = [];
let made: Blob | null = null;

beforeEach(() => {
  setToken('abc');
  saved.length = 0;
  URL.createObjectURL = vi.fn((file: Blob) => {
    made = file;
    return 'blob:x';
  });
  URL.revokeObjectURL = vi.fn();
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push({ name: this.download, type: made?.type ?? '', text: this.href });
  });
});
afterEach(() => vi.restoreAllMocks());

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('it went through'),
    (error) => error as ApiError,
  );

test('saves a file under the server’s name, with a type no browser displays', async () => {
  const fetch = stubApi({
    'GET /x.pdf': () =>
      apiResponse(200, '%PDF', {
        'Content-Type': 'application/pdf',
        'Content-Disposition':
          'attachment; filename="a.pdf"; filename*=UTF-8\'\'R%C3%A9sum%C3%A9.pdf',
      }),
  });
  await download('/x.pdf', 'fallback.pdf');
  expect(saved).toEqual([{ name: 'Résumé.pdf', type: 'application/octet-stream', text: 'blob:x' }]);
  expect(fetch.mock.calls[0]?.[1]?.headers).toEqual({ Authorization: 'Bearer abc' });
  expect(document.querySelector('a')).toBeNull();
});

test('shows the server’s message and saves nothing when a download is refused', async () => {
  stubApi({ 'GET /x.pdf': () => apiError(404, 'not_found', 'Nothing is prescribed.') });
  const error = await failure(download('/x.pdf', 'x.pdf'));
  expect(error).toMatchObject({ status: 404, message: 'Nothing is prescribed.' });
  expect(saved).toEqual([]);
});

test('reports a download without a connection as an outage', async () => {
  stubApi({ 'GET /x.pdf': () => new TypeError('Failed to fetch') });
  expect(await failure(download('/x.pdf', 'x.pdf'))).toMatchObject({ code: 'network' });
});

test('ends the session when a download returns 401', async () => {
  const ended = vi.fn();
  onSessionEnded(ended);
  stubApi({ 'GET /x.pdf': () => apiError(401, 'not_authenticated') });
  await failure(download('/x.pdf', 'x.pdf'));
  expect(ended).toHaveBeenCalledOnce();
});

test.each([
  [null, null],
  ['attachment', null],
  ['attachment; filename="plain.pdf"', 'plain.pdf'],
  ['attachment; filename*=UTF-8\'\'%E0%A4%A; filename="plain.pdf"', 'plain.pdf'],
])('reads the file name from %s', (disposition, name) => {
  expect(fileName(disposition)).toBe(name);
});

class FakeRequest {
  static last: FakeRequest;
  upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  status = 0;
  responseText = '';
  headers: Record<string, string> = {};
  constructor() {
    FakeRequest.last = this;
  }
  open() {}
  send() {}
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }
  getResponseHeader = () => null;
  abort() {
    this.onabort?.();
  }
  answer(status: number, body: unknown) {
    this.status = status;
    this.responseText = JSON.stringify(body);
    this.onload?.();
  }
}

function start() {
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  const onProgress = vi.fn();
  const abort = new AbortController();
  const file = new File(['%PDF'], 'a.pdf');
  const sent = upload('/x', file, { onProgress, signal: abort.signal });
  return { sent, onProgress, abort, request: FakeRequest.last };
}

test('reports upload progress and returns the response', async () => {
  const { sent, onProgress, request } = start();
  request.upload.onprogress?.({ loaded: 1, total: 4 });
  request.answer(201, { success: true, data: { attachment: { _id: '1' } } });
  expect(await sent).toEqual({ attachment: { _id: '1' } });
  expect(onProgress.mock.calls).toEqual([[0.25]]);
  expect(request.headers.Authorization).toBe('Bearer abc');
});

test('shows the server’s message when a file is refused', async () => {
  const { sent, request } = start();
  request.answer(400, { errors: { file: ['This PDF contains a script.'] } });
  expect(await failure(sent)).toMatchObject({
    status: 400,
    errors: { file: ['This PDF contains a script.'] },
  });
});

test('reports an aborted upload and a lost connection', async () => {
  const stopped = start();
  stopped.abort.abort();
  expect(await failure(stopped.sent)).toMatchObject({ code: 'aborted' });
  const lost = start();
  lost.request.onerror?.();
  expect(await failure(lost.sent)).toMatchObject({ code: 'network' });
});
