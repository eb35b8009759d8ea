import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { getToken } from '@/api/token';
import { RequireSession } from '@/domain/session/guards';
import { apiError, ok } from '@/testing/apiResponses';
import { makeAppointment, renderAppointments } from '@/testing/appointments';
import { AccountData } from './AccountData';

const page = (
  <RequireSession>
    <AccountData />
  </RequireSession>
);
const effects = { upcoming: 1, messages: 1, appointments: [makeAppointment()] };

async function openDialog() {
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Close your account' }));
  return { user, dialog: await screen.findByRole('dialog', { name: 'Close your account?' }) };
}

test('shows the consequences, requires the password, and signs out after closing', async () => {
  let tries = 0;
  const { changed } = renderAppointments('/profile', page, {
    'GET /auth/account/closing': () => ok({ effects }),
    'POST /auth/account/close': () =>
      ++tries === 1
        ? apiError(400, 'invalid', 'Check the fields.', { currentPassword: ['Not your password.'] })
        : ok({}, 'Your account is closed'),
  });
  const { user, dialog } = await openDialog();
  expect(
    await within(dialog).findByText(/^We’ll cancel 1 upcoming appointment and notify 1 person/),
  ).toBeTruthy();
  expect(within(dialog).getByText(/with Dr. Ana Ruiz$/)).toBeTruthy();

  const act = within(dialog).getByRole('button', { name: 'Close account' });
  await user.click(act);
  expect(within(dialog).getAllByText('Enter your password')).toHaveLength(2);
  expect(changed()).toEqual([]);

  const password = within(dialog).getByLabelText('Your password');
  await user.type(password, 'wrong');
  await user.click(act);
  expect((await within(dialog).findAllByText('Not your password.')).length).toBe(2);
  expect(password.getAttribute('aria-invalid')).toBe('true');

  await user.click(act);
  await waitFor(() => expect(screen.getByTestId('where').textContent).toBe('/'));
  expect(getToken()).toBeNull();
  // The session has ended with the account; a sign-out would be refused.
  expect(changed().map(([call]) => call)).toEqual([
    'POST /auth/account/close',
    'POST /auth/account/close',
  ]);
});

test('tells the last admin why the account cannot be closed', async () => {
  renderAppointments('/profile', page, {
    'GET /auth/account/closing': () =>
      apiError(409, 'last_admin', 'The last active admin cannot be closed.'),
  });
  const { dialog } = await openDialog();
  expect(await within(dialog).findByText('The last active admin cannot be closed.')).toBeTruthy();
  expect(within(dialog).queryByRole('button', { name: 'Close account' })).toBeNull();
});
