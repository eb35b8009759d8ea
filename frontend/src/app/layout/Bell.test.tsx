import { useQuery } from '@tanstack/react-query';
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { POLL_MS } from '@/api/notifications';
import { setToken } from '@/api/token';
import type { Unread } from '@/api/types';
import { ok } from '@/testing/apiResponses';
import { renderAt } from '@/testing/render';
import { patient } from '@/testing/users';
import { Bell } from './Bell';

const notice = (id: number, title: string) => ({
  _id: id,
  event: 'appointment.confirmed',
  title,
  lines: [],
  facts: [],
  path: null,
  label: null,
  at: '2026-11-28T09:00:00Z',
  read: false,
  language: 'en',
});
let stands: Unread;
const asked = vi.fn();

/** A signed-in person, whose bell this is. */
async function fetch(url: string) {
  if (url === '/api/auth/profile') return ok({ user: patient });
  asked(url);
  return ok({ ...stands });
}

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
  });
  asked.mockClear();
  setToken('abc');
  vi.stubGlobal('fetch', fetch);
  stands = { unread: 1, latest: notice(5, 'Welcome') };
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

// The bodies of answers are read in real time.
const pass = (ms: number) =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(ms);
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    await vi.advanceTimersByTimeAsync(1);
  });
const name = () => screen.getByRole('link').getAttribute('aria-label');
const told = () => screen.queryByText(/^New notification/)?.textContent;

it('is labeled with the unread count and announces new notifications', async () => {
  renderAt('/about', <Bell />);
  expect(name()).toBe('Notifications');
  await pass(100);
  expect(name()).toBe('Notifications, 1 unread');
  // What stood there already is no news.
  expect(told()).toBeUndefined();
  stands = { unread: 2, latest: notice(6, 'Your visit is confirmed') };
  await pass(POLL_MS);
  expect(name()).toBe('Notifications, 2 unread');
  expect(told()).toBe('New notification: Your visit is confirmed');
});

it('does not announce an older notification once the newest is read', async () => {
  renderAt('/about', <Bell />);
  await pass(100);
  stands = { unread: 2, latest: notice(4, 'Older') };
  await pass(POLL_MS);
  expect(name()).toBe('Notifications, 2 unread');
  expect(told()).toBeUndefined();
});

it('polls every fifteen seconds, but not while the page is hidden', async () => {
  renderAt('/about', <Bell />);
  await pass(31_000);
  expect(asked).toHaveBeenCalledTimes(3);
  const visible = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  await pass(60_000);
  expect(asked).toHaveBeenCalledTimes(3);
  visible.mockReturnValue('visible');
  await act(async () => window.dispatchEvent(new Event('visibilitychange')));
  await pass(100);
  expect(asked).toHaveBeenCalledTimes(4);
});

const listed = vi.fn(async () => 1);

/** A list of appointments beside the bell. */
function List() {
  useQuery({ queryKey: ['appointments'], queryFn: listed, staleTime: Number.POSITIVE_INFINITY });
  return <Bell />;
}

it('refetches the lists on the page when a new notification arrives', async () => {
  listed.mockClear();
  renderAt('/doctor/dashboard', <List />);
  await pass(100);
  await pass(POLL_MS);
  expect(listed).toHaveBeenCalledTimes(1);
  stands = { unread: 2, latest: notice(6, 'New request') };
  await pass(POLL_MS);
  expect(name()).toBe('Notifications, 2 unread');
  expect(listed).toHaveBeenCalledTimes(2);
});

it('does not refetch for an absent user, but refetches on return', async () => {
  listed.mockClear();
  renderAt('/doctor/dashboard', <List />);
  await pass(6 * 60_000);
  stands = { unread: 2, latest: notice(6, 'New request') };
  await pass(POLL_MS);
  expect(name()).toBe('Notifications, 2 unread');
  expect(listed).toHaveBeenCalledTimes(1);
  fireEvent.keyDown(window, { key: 'a' });
  await pass(100);
  expect(listed).toHaveBeenCalledTimes(2);
  fireEvent.keyDown(window, { key: 'a' });
  await pass(100);
  expect(listed).toHaveBeenCalledTimes(2);
});
