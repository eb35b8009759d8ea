import { waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { call } from '@/api/client';
import { prefetch, prefetchUrls, takePrefetched } from '@/api/prefetch';
import { setToken } from '@/api/token';
import BookPage from '@/features/booking/BookPage';
import DoctorPage from '@/features/directory/DoctorPage';
import FindDoctorsPage from '@/features/directory/FindDoctorsPage';
import HomePage from '@/features/home/HomePage';
import { ok } from '@/testing/apiResponses';
import { renderAt } from '@/testing/render';

const at = (path: string) => new URL(path, 'http://localhost') as unknown as Location;
const asked = vi.fn<(call: string, init?: RequestInit) => Promise<Response>>();

beforeEach(() => {
  window.prefetched = undefined;
  asked.mockReset().mockImplementation(async () => ok({}));
  vi.stubGlobal('fetch', asked);
});

// What is asked ahead and not by the page is asked in vain; what only the page asks comes late.
it.each([
  ['/', '/', <HomePage key="home" />],
  ['/patient/doctors', '/patient/doctors', <FindDoctorsPage key="find" />],
  ['/doctors/0193-ab', '/doctors/:id', <DoctorPage key="doctor" />],
  [
    '/patient/book-appointment/0193-ab',
    '/patient/book-appointment/:doctorId',
    <BookPage key="book" />,
  ],
])('prefetches the first requests of %s', async (path, pattern, page) => {
  asked.mockImplementation(() => new Promise(() => {}));
  const ahead = prefetchUrls(path, '');
  renderAt(path, page, pattern);
  await waitFor(() => expect(asked.mock.calls.length).toBeGreaterThanOrEqual(ahead.length));
  const calls = asked.mock.calls.map(([each]) => each).filter((each) => each !== '/api/config');
  expect(calls.sort()).toEqual([...ahead].sort());
});

it('prefetches nothing for unknown pages', () => {
  expect(prefetchUrls('/patient/doctors', '?city=Boston')).toEqual([]);
  expect(prefetchUrls('/doctors/a%2Fb', '')).toEqual([]);
  expect(prefetchUrls('/login', '')).toEqual([]);
});

it('returns each prefetched response once', async () => {
  asked.mockImplementation(async () => ok({ doctor: 'Ida' }));
  prefetch(at('/doctors/7'), null);
  expect(asked).toHaveBeenCalledTimes(2);
  expect(await call('GET /doctors/{user}', { path: { user: '7' } })).toEqual({ doctor: 'Ida' });
  expect(asked).toHaveBeenCalledTimes(2);
  expect(await call('GET /doctors/{user}', { path: { user: '7' } })).toEqual({ doctor: 'Ida' });
  expect(asked).toHaveBeenCalledTimes(3);
});

it('does not return prefetched responses to another user', () => {
  prefetch(at('/doctors/7'), 'abc');
  expect(asked.mock.calls.map(([each]) => each)).toEqual([
    '/api/auth/profile',
    '/api/doctors/7',
    '/api/doctors/7/slots?days=62',
  ]);
  expect(asked.mock.calls[0]?.[1]?.headers).toMatchObject({ Authorization: 'Bearer abc' });
  expect(takePrefetched('/api/doctors/7', null)).toBeUndefined();
  expect(takePrefetched('/api/doctors/7', 'abcd')).toBeUndefined();
  expect(takePrefetched('/api/doctors/7', 'abc')).toBeDefined();
});

it('ignores responses that are too old', () => {
  prefetch(at('/doctors/7'), null);
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 30_000);
  expect(takePrefetched('/api/doctors/7', null)).toBeUndefined();
});

it('reports failures and aborts like any other request', async () => {
  // The client tries a read once more.
  asked.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  asked.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  prefetch(at('/'), null);
  await expect(
    call('GET /doctors', { query: { ordering: '-experience', pageSize: 5 } }),
  ).rejects.toMatchObject({
    status: 0,
    code: 'network',
  });
  asked.mockImplementation(
    (_, init) =>
      new Promise((_, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      }),
  );
  prefetch(at('/patient/doctors'), null);
  const leaving = new AbortController();
  const answer = call('GET /doctors', { signal: leaving.signal });
  leaving.abort(new Error('gone'));
  await expect(answer).rejects.toThrow('gone');
  setToken(null);
});
