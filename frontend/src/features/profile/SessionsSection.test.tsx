import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { setToken } from '@/api/token';
import { apiError, ok, stubApi } from '@/testing/apiResponses';
import { renderAt } from '@/testing/render';
import { patient } from '@/testing/users';
import { SessionsSection } from './SessionsSection';

const session = (number: number, current = false) => ({
  _id: `s${number}`,
  createdAt: '2026-12-01T08:00:00Z',
  lastSeenAt: '2026-12-01T09:00:00Z',
  ipAddress: `192.0.2.${number}`,
  userAgent: '',
  current,
});

function open(sessions: ReturnType<typeof session>[], end = () => ok({})) {
  let left = sessions;
  setToken('t');
  const spy = stubApi({
    'GET /auth/profile': () => ok({ user: patient }),
    'GET /auth/sessions': () => ok({ sessions: left }),
    'DELETE /auth/sessions': () => {
      const answer = end();
      if (answer.ok) left = left.filter((each) => each.current);
      return answer;
    },
  });
  renderAt('/profile', <SessionsSection />, '/profile');
  return () => spy.mock.calls.filter(([, init]) => init?.method === 'DELETE').length;
}

const everywhere = { name: 'Sign out everywhere else' };

it('signs out all other sessions', async () => {
  const ends = open([session(1, true), session(2), session(3)]);
  await userEvent.click(await screen.findByRole('button', everywhere));
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1));
  expect(screen.getByText('This device')).toBeTruthy();
  expect(screen.queryByRole('button', everywhere)).toBeNull();
  expect(ends()).toBe(1);
});

it('offers nothing to end without other sessions', async () => {
  open([session(1, true)]);
  await screen.findByText('This device');
  expect(screen.queryByRole('button')).toBeNull();
});

it('keeps the list if that fails', async () => {
  const ends = open([session(1, true), session(2)], () => apiError(503, 'unavailable', 'Away.'));
  await userEvent.click(await screen.findByRole('button', everywhere));
  await waitFor(() => expect(ends()).toBe(1));
  expect(screen.getAllByRole('listitem')).toHaveLength(2);
});
