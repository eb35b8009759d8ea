import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { setToken } from '@/api/token';
import { apiError, ok, stubApi } from '@/testing/apiResponses';
import { renderAt } from '@/testing/render';
import { patient } from '@/testing/users';
import MfaSection from './MfaSection';

const CODES = 'POST /auth/second-step/recovery-codes';

function open(methods: string[], more: Parameters<typeof stubApi>[0] = {}) {
  setToken('t');
  const spy = stubApi({
    'GET /auth/profile': () => ok({ user: patient }),
    'GET /auth/passkeys': () => ok({ passkeys: [] }),
    'GET /auth/second-step': () =>
      ok({
        secondStep: {
          since: '2026-12-01T08:00:00Z',
          methods,
          due: false,
          app: { turnedOnAt: '2026-12-01T08:00:00Z' },
          recoveryCodesLeft: 10,
        },
      }),
    [CODES]: () => ok({ recoveryCodes: ['aaaa-bbbb'] }),
    ...more,
  });
  renderAt('/profile', <MfaSection />, '/profile');
  return spy;
}

async function unfold() {
  await userEvent.click(await screen.findByText('Make new recovery codes'));
  await userEvent.type(await screen.findByLabelText('Your password'), 'harbor-lamp');
}

const press = () => userEvent.click(screen.getByRole('button', { name: 'Make new codes' }));

function sent(spy: ReturnType<typeof open>) {
  const calls = spy.mock.calls.filter(([, request]) => request?.method === 'POST');
  return calls.map(([, request]) => JSON.parse(String(request?.body)));
}

it('sends the authenticator code with the password', async () => {
  const spy = open(['code', 'recoveryCode']);
  await unfold();
  await press();
  expect((await screen.findByRole('alert')).textContent).toContain('Enter the six digits');
  expect(sent(spy)).toEqual([]);
  await userEvent.type(screen.getByLabelText('6-digit code'), '123 456');
  await press();
  expect(await screen.findByText('aaaa-bbbb')).toBeTruthy();
  expect(sent(spy)).toEqual([{ currentPassword: 'harbor-lamp', code: '123 456' }]);
});

it('switches to a focused recovery code field and marks it if refused', async () => {
  const wrong = 'This recovery code is not right, or was used already.';
  const spy = open(['code', 'recoveryCode'], {
    [CODES]: () => apiError(400, 'invalid', 'Check the fields.', { recoveryCode: [wrong] }),
  });
  await unfold();
  await userEvent.type(screen.getByLabelText('6-digit code'), '123456');
  await userEvent.click(screen.getByRole('button', { name: 'Use a recovery code' }));
  const field = screen.getByLabelText<HTMLInputElement>('Recovery code');
  expect(document.activeElement).toBe(field);
  // What was typed as a code is none of these.
  expect(field.value).toBe('');
  await userEvent.type(field, ' aaaa ');
  await press();
  const alert = await screen.findByRole('alert');
  await userEvent.click(within(alert).getByRole('link', { name: wrong }));
  expect(document.activeElement).toBe(field);
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(sent(spy)).toEqual([{ currentPassword: 'harbor-lamp', recoveryCode: 'aaaa' }]);
});

it('asks only for the password without a second step', async () => {
  const spy = open([]);
  await unfold();
  expect(screen.queryByLabelText('6-digit code')).toBeNull();
  await press();
  expect(await screen.findByText('aaaa-bbbb')).toBeTruthy();
  expect(sent(spy)).toEqual([{ currentPassword: 'harbor-lamp' }]);
});

it('offers no passkeys in browsers without support', async () => {
  open(['passkey', 'recoveryCode']);
  await unfold();
  expect(screen.getByLabelText('Recovery code')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Use a passkey' })).toBeNull();
});
