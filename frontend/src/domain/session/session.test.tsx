import { useQuery } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { getToken, setToken } from '@/api/token';
import type { Role } from '@/api/types';
import { apiError, ok, stubApi } from '@/testing/apiResponses';
import { renderAt } from '@/testing/render';
import { admin, doctor, patient } from '@/testing/users';
import { RequireRole, RequireSession } from './guards';
import { useSession } from './session';

const people = { patient, doctor, admin };
const where = () => screen.getByTestId('where').textContent;

function guarded(roles: Role[] = ['patient']) {
  return (
    <RequireRole roles={roles}>
      <p>Private</p>
    </RequireRole>
  );
}

describe('guards', () => {
  it('shows a spinner while the session loads', () => {
    setToken('abc');
    vi.stubGlobal('fetch', () => new Promise(() => {}));
    renderAt('/patient/dashboard', guarded());
    expect(screen.getByRole('status').textContent).toBe('Loading');
    expect(where()).toBe('/patient/dashboard');
  });

  it('sends a visitor to sign-in and remembers the path', () => {
    renderAt('/patient/appointments?scope=past', guarded());
    expect(where()).toBe('/login?next=%2Fpatient%2Fappointments%3Fscope%3Dpast');
  });

  it.each(['patient', 'doctor', 'admin'] as const)(
    'admits a %s only to pages of that role',
    async (role) => {
      setToken('abc');
      stubApi({ 'GET /auth/profile': () => ok({ user: people[role] }) });
      renderAt('/x', guarded(['patient']));
      if (role === 'patient') expect(await screen.findByText('Private')).toBeTruthy();
      else await waitFor(() => expect(where()).toBe('/'));
    },
  );

  it('admits any role if a session is enough', async () => {
    setToken('abc');
    stubApi({ 'GET /auth/profile': () => ok({ user: admin }) });
    renderAt(
      '/profile',
      <RequireSession>
        <p>Private</p>
      </RequireSession>,
    );
    expect(await screen.findByText('Private')).toBeTruthy();
  });
});

function State() {
  const session = useSession();
  return (
    <>
      <p>{`${session.state} ${session.user?.name ?? 'nobody'}`}</p>
      <button type="button" onClick={session.signOut}>
        Logout
      </button>
    </>
  );
}

describe('the initial profile request', () => {
  it.each([
    ['a refused token', () => apiError(401, 'session_ended')],
    ['an account that was stopped', () => apiError(403, 'account_inactive')],
  ])('removes the token after %s and stays on the public page', async (_, reply) => {
    setToken('abc');
    stubApi({ 'GET /auth/profile': reply });
    renderAt('/about', <State />);
    expect(await screen.findByText('signed-out nobody')).toBeTruthy();
    expect(getToken()).toBeNull();
    expect(where()).toBe('/about');
  });

  it.each([
    ['a network fault', () => new TypeError('Failed to fetch')],
    ['a server in trouble', () => apiError(503, 'unavailable')],
  ])('keeps the token after %s and offers a retry', async (_, reply) => {
    setToken('abc');
    stubApi({ 'GET /auth/profile': reply });
    renderAt('/patient/dashboard', guarded());
    const again = await screen.findByRole('button', { name: 'Try again' });
    expect(getToken()).toBe('abc');
    stubApi({ 'GET /auth/profile': () => ok({ user: patient }) });
    await userEvent.click(again);
    expect(await screen.findByText('Private')).toBeTruthy();
  });
});

function Ended() {
  const session = useSession();
  return <p>{`${session.state}, ${session.hasExpired ? 'ended' : 'not ended'}`}</p>;
}

it.each([
  ['is said where it is found at the start', () => apiError(401, 'session_ended'), 'ended'],
  ['is not what stops an account', () => apiError(403, 'account_inactive'), 'not ended'],
])('ends the session %s', async (_, reply, said) => {
  setToken('abc');
  stubApi({ 'GET /auth/profile': reply });
  renderAt('/login?next=%2Fprofile', <Ended />);
  expect(await screen.findByText(`signed-out, ${said}`)).toBeTruthy();
});

describe('signing out', () => {
  it('ends the session in the browser and on the server', async () => {
    setToken('abc');
    const fetch = stubApi({
      'GET /auth/profile': () => ok({ user: patient }),
      'POST /auth/logout': () => ok({}),
    });
    renderAt('/', <State />);
    await screen.findByText('signed-in Pat Field');
    await userEvent.click(screen.getByText('Logout'));
    expect(screen.getByText('signed-out nobody')).toBeTruthy();
    expect(getToken()).toBeNull();
    const logout = fetch.mock.calls.find(([url]) => String(url).endsWith('/auth/logout'));
    expect(logout?.[1]?.headers).toMatchObject({ Authorization: 'Bearer abc' });
  });

  it('signs out when another tab signs out', async () => {
    setToken('abc');
    stubApi({ 'GET /auth/profile': () => ok({ user: patient }) });
    renderAt('/', <State />);
    await screen.findByText('signed-in Pat Field');
    act(() => {
      window.localStorage.removeItem('token');
      window.dispatchEvent(new StorageEvent('storage', { key: 'token', newValue: null }));
    });
    expect(screen.getByText('signed-out nobody')).toBeTruthy();
  });
});

function Asks({ queryFn }: { queryFn: () => Promise<string> }) {
  return <p>{useQuery({ queryKey: ['asked'], queryFn }).data ?? 'nothing yet'}</p>;
}

describe('queries of a page', () => {
  it('load for visitors', async () => {
    const queryFn = vi.fn(async () => 'an answer');
    renderAt('/', <Asks queryFn={queryFn} />);
    expect(await screen.findByText('an answer')).toBeTruthy();
    expect(queryFn).toHaveBeenCalledTimes(1);
  });

  it('are cleared and refetched when the session ends', async () => {
    setToken('abc');
    stubApi({ 'GET /auth/profile': () => ok({ user: patient }) });
    renderAt('/', <Asks queryFn={async () => (getToken() ? 'private' : 'public')} />);
    expect(await screen.findByText('private')).toBeTruthy();
    act(() => setToken(null));
    expect(await screen.findByText('public')).toBeTruthy();
  });
});
