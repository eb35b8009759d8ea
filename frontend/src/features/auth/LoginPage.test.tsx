import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { getToken, setToken } from '@/api/token';
import { setActiveHold } from '@/domain/activeHold';
import { apiError, ok, stubApi } from '@/testing/apiResponses';
import { publicDoctor } from '@/testing/doctors';
import { renderAt } from '@/testing/render';
import { doctor, patient } from '@/testing/users';
import LoginPage from './LoginPage';

const config = (demoAccounts: unknown[] = []) => ({
  'GET /config': () => ok({ demoAccounts, passwordMinLength: 6 }),
});
const where = () => screen.getByTestId('where').textContent;

async function fillIn() {
  await userEvent.type(screen.getByLabelText('Email address'), 'pat@example.com');
  await userEvent.type(screen.getByLabelText('Password'), 'harbor-lamp');
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
}

it('keeps the page and the typed text, and shows the server’s message, when sign-in fails', async () => {
  stubApi({ ...config(), 'POST /auth/login': () => apiError(401, 'login_failed', 'Wrong again') });
  renderAt('/login', <LoginPage />);
  await fillIn();
  const said = (await screen.findByRole('alert')).textContent;
  expect(said).toContain('Wrong again');
  // One help for every cause.
  expect(said).toContain('That email and password don’t match.');
  expect(where()).toBe('/login');
  expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('harbor-lamp');
});

it('offers to sign in with the account’s role if the password was right', async () => {
  let tries = 0;
  const spy = stubApi({
    ...config(),
    'POST /auth/login': () =>
      ++tries === 1
        ? apiError(403, 'wrong_role', 'This is a doctor account.', {}, { role: 'doctor' })
        : ok({ token: 'abc', user: doctor }),
  });
  renderAt('/login', <LoginPage />);
  await fillIn();
  expect((await screen.findByRole('alert')).textContent).toContain('This is a doctor account.');
  await userEvent.click(screen.getByRole('button', { name: 'Sign in as a doctor' }));
  await waitFor(() => expect(where()).toBe('/doctor/dashboard'));
  const roles = spy.mock.calls
    .filter(([path]) => String(path).endsWith('/auth/login'))
    .map(([, init]) => JSON.parse(String(init?.body)).role);
  expect(roles).toEqual(['patient', 'doctor']);
});

it('offers no other role after other errors', async () => {
  stubApi({ ...config(), 'POST /auth/login': () => apiError(401, 'login_failed', 'Login failed') });
  renderAt('/login', <LoginPage />);
  await fillIn();
  await screen.findByRole('alert');
  expect(screen.queryByRole('button', { name: /^Sign in as/ })).toBeNull();
});

it('shows "Login failed" if the server sends no message', async () => {
  stubApi({ ...config(), 'POST /auth/login': () => apiError(500, 'error') });
  renderAt('/login', <LoginPage />);
  await fillIn();
  const said = (await screen.findByRole('alert')).textContent;
  expect(said).toContain('Login failed');
  expect(said).not.toContain('Check the');
});

it('goes to the role’s dashboard or back to the previous page', async () => {
  stubApi({ ...config(), 'POST /auth/login': () => ok({ token: 't', user: patient }) });
  const { unmount } = renderAt('/login', <LoginPage />);
  await fillIn();
  await waitFor(() => expect(where()).toBe('/patient/dashboard'));
  expect(getToken()).toBe('t');
  unmount();
});

it('returns to the previous page, never to another site', async () => {
  stubApi({ ...config(), 'POST /auth/login': () => ok({ token: 't', user: doctor }) });
  renderAt('/login?next=%2Fdoctor%2Fappointments%3Fstatus%3Dpending', <LoginPage />);
  expect(screen.getByLabelText<HTMLSelectElement>('Login as').value).toBe('doctor');
  await fillIn();
  await waitFor(() => expect(where()).toBe('/doctor/appointments?status=pending'));
});

it('tells only redirected users that they’ve been signed out', async () => {
  const sentence = /You’ve been signed out/;
  const stage = () => {
    setToken('abc');
    stubApi({ ...config(), 'GET /auth/profile': () => apiError(401, 'session_ended') });
  };
  stage();
  const { unmount } = renderAt('/login?next=%2Fpatient%2Fappointments', <LoginPage />);
  expect(await screen.findByText(sentence)).toBeTruthy();
  unmount();
  stage();
  renderAt('/login', <LoginPage />);
  await screen.findByLabelText('Password');
  expect(screen.queryByText(sentence)).toBeNull();
});

const booking = (query: string, id = 'd1') =>
  `/login?next=${encodeURIComponent(`/patient/book-appointment/${id}?${query}`)}`;
const HOLD = { holdId: 'secret', heldSince: 0 };
const CHOSEN = { doctorId: 'd1', date: '2099-12-08', time: '10:00' };

it('shows the time being booked, and how long it is held', async () => {
  stubApi({ ...config(), 'GET /doctors/d1': () => ok({ doctor: publicDoctor }) });
  const { unmount } = renderAt(booking('date=2099-12-08&time=10%3A00'), <LoginPage />);
  const said = await screen.findByText(/^Sign in to book 10:00, Tuesday 8 December 2099 \(/);
  expect(said.textContent).toMatch(/ time\) with Dr\. Ana Ruiz\.$|UTC\) with Dr\. Ana Ruiz\.$/);
  unmount();

  setActiveHold({ ...CHOSEN, ...HOLD, until: new Date(Date.now() + 60_000).toISOString() });
  const kept = renderAt(booking('date=2099-12-08&time=10%3A00'), <LoginPage />);
  expect(await screen.findByText(/We’re holding this time until \d\d:\d\d/)).toBeTruthy();
  kept.unmount();

  setActiveHold({
    ...CHOSEN,
    ...HOLD,
    time: '11:00',
    until: new Date(Date.now() + 60_000).toISOString(),
  });
  renderAt(booking('date=2099-12-08&time=10%3A00'), <LoginPage />);
  expect((await screen.findByText(/^Sign in to book/)).textContent).not.toContain('kept');
  setActiveHold(null);
});

it.each([
  ['a time that is none', booking('date=2099-12-08&time=Call%20555')],
  ['a date that is none', booking('date=Call%20555&time=10%3A00')],
  ['no choice', booking('')],
  ['another page', '/login?next=%2Fpatient%2Frecords%3Fdate%3D2099-12-08%26time%3D10%253A00'],
])('shows nothing from a URL with %s', async (_, address) => {
  // No doctor is asked for: that would be a failing test.
  stubApi(config());
  renderAt(address, <LoginPage />);
  await screen.findByLabelText('Password');
  expect(screen.queryByText(/Sign in to book/)).toBeNull();
});

it('shows no banner if the doctor does not exist', async () => {
  const spy = stubApi({
    ...config(),
    'GET /doctors/d1': () => apiError(404, 'doctor_unavailable'),
  });
  renderAt(booking('date=2099-12-08&time=10%3A00'), <LoginPage />);
  await waitFor(() =>
    expect(spy.mock.calls.some(([url]) => String(url).includes('/doctors/d1'))).toBe(true),
  );
  expect(screen.queryByText(/Sign in to book/)).toBeNull();
});

it('lists demo accounts only if the server sends some', async () => {
  const account = { role: 'admin', email: 'admin@example.com', password: 'demo-admin' };
  stubApi(config([account]));
  const { unmount } = renderAt('/login', <LoginPage />);
  await userEvent.click(await screen.findByRole('button', { name: 'Fill in as admin' }));
  expect(screen.getByLabelText<HTMLInputElement>('Email address').value).toBe(account.email);
  expect(screen.getByLabelText<HTMLSelectElement>('Login as').value).toBe('admin');
  unmount();

  stubApi(config([]));
  renderAt('/login', <LoginPage />);
  expect(screen.queryByText('Demo credentials')).toBeNull();
});

const due = { ticket: 'the-ticket', methods: ['code', 'recoveryCode'], passkey: null };

it('asks for the second step, reports a wrong code and continues with a right one', async () => {
  let tries = 0;
  stubApi({
    ...config(),
    'POST /auth/login': () => ok({ secondStep: due }),
    'POST /auth/login/second': () =>
      ++tries === 1
        ? apiError(401, 'second_step_failed', 'Not right.', { code: ['Not right.'] })
        : ok({ token: 'abc', user: patient }),
  });
  renderAt('/login', <LoginPage />);
  await fillIn();
  const code = await screen.findByLabelText<HTMLInputElement>('Code');
  expect(code.autocomplete).toBe('one-time-code');
  expect(getToken()).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(screen.getAllByText('Enter the code').length).toBe(2);
  await userEvent.type(code, '000000');
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  expect((await screen.findAllByText('Not right.')).length).toBe(2);
  expect(code.getAttribute('aria-invalid')).toBe('true');
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  await waitFor(() => expect(where()).toBe('/patient/dashboard'));
  expect(getToken()).toBe('abc');
});

it('starts again with an empty password when the second step expires', async () => {
  stubApi({
    ...config(),
    'POST /auth/login': () => ok({ secondStep: due }),
    'POST /auth/login/second': () => apiError(400, 'ticket_invalid', 'Too long.'),
  });
  renderAt('/login', <LoginPage />);
  await fillIn();
  await userEvent.click(await screen.findByRole('button', { name: 'Use a recovery code' }));
  await userEvent.type(screen.getByLabelText('Recovery code'), 'abcd-efgh-jkmn-pqrs');
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  expect((await screen.findByLabelText<HTMLInputElement>('Password')).value).toBe('');
  expect(screen.getByLabelText<HTMLInputElement>('Email address').value).toBe('pat@example.com');
});

it('offers no passkeys in browsers without support', () => {
  stubApi(config());
  renderAt('/login', <LoginPage />);
  expect(screen.queryByRole('button', { name: 'Sign in with a passkey' })).toBeNull();
});
