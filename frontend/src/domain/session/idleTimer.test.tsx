import { act, fireEvent, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { touchSession } from '@/api/session';
import { setToken } from '@/api/token';
import { ok, stubApi } from '@/testing/apiResponses';
import { patient } from '@/testing/users';
import { useIdleClock } from './idleTimer';

const MINUTE = 60_000;
const over = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  setToken('abc');
  over.mockReset();
});
afterEach(() => vi.useRealTimers());

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

it('warns two minutes before the limit and ends the session at the limit', async () => {
  const { result } = renderHook(() => useIdleClock(30, over));
  await pass(27.5 * MINUTE);
  expect(result.current).toBeNull();
  await pass(MINUTE);
  expect(result.current).toBeGreaterThan(MINUTE);
  expect(over).not.toHaveBeenCalled();
  await pass(2 * MINUTE);
  expect(over).toHaveBeenCalled();
});

it('restarts with one click', async () => {
  stubApi({ 'GET /auth/profile': () => ok({ user: patient }) });
  const { result } = renderHook(() => useIdleClock(30, over));
  await pass(29 * MINUTE);
  expect(result.current).not.toBeNull();
  await act(() => touchSession());
  expect(result.current).toBeNull();
  await pass(27 * MINUTE);
  expect(over).not.toHaveBeenCalled();
});

it('keeps the session of a user who types without sending requests', async () => {
  const fetch = stubApi({ 'GET /auth/profile': () => ok({ user: patient }) });
  const { result } = renderHook(() => useIdleClock(30, over));
  for (let minute = 0; minute < 60; minute += 1) {
    fireEvent.keyDown(window, { key: 'a' });
    await pass(MINUTE);
  }
  expect(result.current).toBeNull();
  expect(over).not.toHaveBeenCalled();
  // Told quietly, and not at every key.
  expect(fetch.mock.calls.length).toBeGreaterThan(8);
  expect(fetch.mock.calls.length).toBeLessThan(16);
});

it('does not run for visitors', async () => {
  const { result } = renderHook(() => useIdleClock(undefined, over));
  await pass(120 * MINUTE);
  expect(result.current).toBeNull();
  expect(over).not.toHaveBeenCalled();
});
