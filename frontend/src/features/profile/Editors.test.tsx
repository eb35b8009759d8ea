import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentType } from 'react';
import { expect, it } from 'vitest';
import { setToken } from '@/api/token';
import { useSession } from '@/domain/session/session';
import { apiError, ok, stubApi } from '@/testing/apiResponses';
import { renderAt } from '@/testing/render';
import { doctor, patient } from '@/testing/users';
import ProfilePage from './ProfilePage';
import SimpleProfilePage from './SimpleProfilePage';

/** The page, once the session is known; the routes' guard sees to that in the site. */
function SignedIn({ page: Page }: { page: ComponentType }) {
  return useSession().user ? <Page /> : null;
}

const config = { 'GET /config': () => ok({ policies: { pictureLinks: true } }) };

function stage(user: typeof patient | typeof doctor, more: Parameters<typeof stubApi>[0] = {}) {
  setToken('abc');
  return stubApi({ ...config, 'GET /auth/profile': () => ok({ user }), ...more });
}

it('changes the email in the full editor with the current password', async () => {
  const spy = stage(patient, {
    'PUT /auth/profile': () => ok({ user: { ...patient, pendingEmail: 'new@example.com' } }),
  });
  renderAt('/profile?edit=1', <SignedIn page={ProfilePage} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Change email' }));
  const email = screen.getByLabelText('Email address');
  await userEvent.clear(email);
  await userEvent.type(email, 'new@example.com');
  await userEvent.click(screen.getByRole('button', { name: 'Save Information' }));
  const sentence = 'Enter your current password to change your email address';
  expect((await screen.findAllByText(sentence)).length).toBe(2);
  await userEvent.type(screen.getByLabelText('Current password'), 'harbor-lamp');
  await userEvent.click(screen.getByRole('button', { name: 'Save Information' }));
  await waitFor(() => expect(screen.getByTestId('where').textContent).toBe('/profile'));
  const [, init] = spy.mock.calls.find(([, request]) => request?.method === 'PUT') ?? [];
  const body = init?.body as FormData;
  expect([body.get('email'), body.get('currentPassword')]).toEqual([
    'new@example.com',
    'harbor-lamp',
  ]);
});

it('shows hours per weekday instead of fields if they differ', async () => {
  stage({
    ...doctor,
    hasUniformHours: false,
    weeklyHours: { ...doctor.weeklyHours, sunday: [{ start: '07:00', end: '19:00' }] },
  });
  renderAt('/profile?edit=1', <SignedIn page={ProfilePage} />);
  const section = await screen.findByRole('group', { name: 'Working times' });
  expect(within(section).queryByLabelText('Working hours start')).toBeNull();
  expect(section.textContent).toContain('Monday09:00 to 13:00 and 14:00 to 18:00');
  expect(section.textContent).toContain('Sunday07:00 to 19:00');
  const link = within(section).getByRole('link', { name: 'Change them in your schedule' });
  expect(link.getAttribute('href')).toBe('/doctor/schedule');
});

it('links to the schedule if the hours now differ per weekday', async () => {
  stage(doctor, {
    'PUT /doctors/profile': () =>
      apiError(409, 'schedule_not_uniform', 'Your weekdays have different hours.'),
  });
  renderAt('/profile?edit=1', <SignedIn page={ProfilePage} />);
  const start = await screen.findByLabelText('Working hours start');
  await userEvent.clear(start);
  await userEvent.type(start, '08:00');
  await userEvent.click(screen.getByRole('button', { name: 'Save Information' }));
  expect(await screen.findByRole('link', { name: 'Change them in your schedule' })).toBeTruthy();
  expect(screen.getByRole('alert').textContent).toContain('Your weekdays have different hours.');
});

it('previews the parts of a one-line address', async () => {
  stage(patient);
  renderAt('/patient/profile', <SignedIn page={SimpleProfilePage} />);
  const line = await screen.findByLabelText<HTMLInputElement>(/^Address/);
  expect(line.value).toBe('12 Elm Street, Boston, MA 02110');
  expect(screen.queryByText('We’ll save this address:')).toBeNull();
  await userEvent.clear(line);
  await userEvent.type(line, '99 Elm Road, Cambridge');
  const preview = screen.getByText('We’ll save this address:').parentElement as HTMLElement;
  expect(
    within(preview)
      .getAllByRole('definition')
      .map((part) => part.textContent),
  ).toEqual(['99 Elm Road', 'Cambridge', 'MA', '02110']);
});
