import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { expect, it } from 'vitest';
import { setToken } from '@/api/token';
import { ok, stubApi } from '@/testing/apiResponses';
import { renderAt } from '@/testing/render';
import { patient } from '@/testing/users';
import MfaSection from './MfaSection';
import PasskeysSection from './PasskeysSection';

const key = (number: number) => ({
  _id: `k${number}`,
  name: `Key ${number}`,
  createdAt: '2026-12-01T08:00:00Z',
  lastUsedAt: null,
});
const WARNING = /your password alone will be enough to sign in/;

function open(page: ReactElement, keys: number, hasApp: boolean) {
  setToken('t');
  stubApi({
    'GET /auth/profile': () => ok({ user: patient }),
    'GET /auth/passkeys': () =>
      ok({ passkeys: Array.from({ length: keys }, (_, at) => key(at + 1)) }),
    'GET /auth/second-step': () =>
      ok({
        secondStep: {
          since: '2026-12-01T08:00:00Z',
          methods: ['recoveryCode'],
          due: false,
          app: hasApp ? { turnedOnAt: '2026-12-01T08:00:00Z' } : null,
          recoveryCodesLeft: 10,
        },
      }),
  });
  renderAt('/profile', page, '/profile');
}

it.each([
  [1, false, true],
  [1, true, false],
  [2, false, false],
])('warns before removing one of %i passkeys with app %s: %s', async (keys, hasApp, warns) => {
  open(<PasskeysSection />, keys, hasApp);
  await userEvent.click(await screen.findByRole('button', { name: 'Remove Key 1' }));
  const dialog = await screen.findByRole('dialog');
  if (warns) expect(await within(dialog).findByText(WARNING)).toBeTruthy();
  else expect(within(dialog).queryByText(WARNING)).toBeNull();
});

it.each([
  [0, true],
  [1, false],
])('warns before turning off the app with %i passkeys: %s', async (keys, warns) => {
  open(<MfaSection />, keys, true);
  await userEvent.click(await screen.findByText('Turn off the authenticator app'));
  await screen.findByRole('button', { name: 'Turn off' });
  if (warns) expect(await screen.findByText(WARNING)).toBeTruthy();
  else expect(screen.queryByText(WARNING)).toBeNull();
});
