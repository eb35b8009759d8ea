import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { apiError, ok, stubApi } from '@/testing/apiResponses';
import { renderAt } from '@/testing/render';
import ResetPasswordPage from './ResetPasswordPage';

const config = {
  'GET /config': () => ok({ demoAccounts: [], passwordMinLength: 6 }),
  'POST /auth/password/reset/check': () => ok({}),
};
const CHECK = 'POST /auth/password/reset/check';
const CONFIRM = 'POST /auth/password/reset/confirm';

async function choose(password: string, again = password) {
  for (const [label, text] of [
    ['New password', password],
    ['Confirm new password', again],
  ] as const) {
    const box = screen.getByLabelText(label);
    await userEvent.clear(box);
    await userEvent.type(box, text);
  }
  await userEvent.click(screen.getByRole('button', { name: 'Save new password' }));
}
const complaint = async () => (await screen.findByRole('alert')).textContent;

it('changes nothing when opened, and reports one broken rule at a time', async () => {
  const fetch = stubApi(config);
  renderAt('/reset-password?token=t', <ResetPasswordPage />);
  await choose('abc', 'abd');
  expect(await complaint()).toBe('There is a problemPasswords do not match');
  await choose('abc');
  expect(await complaint()).toBe('There is a problemPassword must be at least 6 characters long');
  expect(fetch.mock.calls.map(([url]) => url)).not.toContain('/api/auth/password/reset/confirm');
});

it('goes to sign-in after the password is changed', async () => {
  const fetch = stubApi({ ...config, [CONFIRM]: () => ok({}) });
  renderAt('/reset-password?token=t.o:ken', <ResetPasswordPage />);
  await choose('harbor-lamp');
  await waitFor(() => expect(screen.getByTestId('where').textContent).toBe('/login?reset=1'));
  const sent = fetch.mock.calls.find(([url]) => String(url).endsWith('/confirm'))?.[1];
  expect(JSON.parse(String(sent?.body))).toEqual({ token: 't.o:ken', newPassword: 'harbor-lamp' });
});

it('keeps the form if the password is too weak', async () => {
  const weak = { newPassword: ['This password is too common.'] };
  stubApi({ ...config, [CONFIRM]: () => apiError(400, 'invalid', '', weak) });
  renderAt('/reset-password?token=t', <ResetPasswordPage />);
  await choose('password');
  expect(await complaint()).toContain('This password is too common.');
});

it('offers a new link if this one is invalid or incomplete', async () => {
  stubApi({ ...config, [CONFIRM]: () => apiError(400, 'link_invalid') });
  const { unmount } = renderAt('/reset-password?token=t', <ResetPasswordPage />);
  await choose('harbor-lamp');
  const again = await screen.findByRole('link', { name: 'Ask for a new link' });
  expect(again.getAttribute('href')).toBe('/forgot-password');
  unmount();
  renderAt('/reset-password', <ResetPasswordPage />);
  expect(screen.getByRole('link', { name: 'Ask for a new link' })).toBeTruthy();
});

it('reports a used link immediately', async () => {
  stubApi({ ...config, [CHECK]: () => apiError(400, 'link_invalid') });
  renderAt('/reset-password?token=t', <ResetPasswordPage />);
  expect(await screen.findByRole('link', { name: 'Ask for a new link' })).toBeTruthy();
  expect(screen.queryByLabelText('New password')).toBeNull();
});

it('keeps the form if the link could not be checked', async () => {
  stubApi({ ...config, [CHECK]: () => apiError(429, 'too_many') });
  renderAt('/reset-password?token=t', <ResetPasswordPage />);
  expect(await screen.findByLabelText('New password')).toBeTruthy();
});
