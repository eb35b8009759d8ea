import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { ListedUser } from '@/api/types';
import { RequireSession } from '@/domain/session/guards';
import { apiError, ok } from '@/testing/apiResponses';
import { renderAppointments } from '@/testing/appointments';
import { admin } from '@/testing/users';
import { resultText } from './BulkActionBar';
import { withStatus } from './statusCache';
import UsersPage from './UsersPage';

function aUser(_id: string, name: string, changes: Partial<ListedUser> = {}): ListedUser {
  return {
    _id,
    name,
    email: `${_id}@example.com`,
    phone: '',
    gender: 'other',
    dateOfBirth: null,
    role: 'patient',
    status: 'active',
    createdAt: '2026-01-05T09:00:00Z',
    lastSignInAt: null,
    profilePicture: null,
    ...changes,
  };
}

const own = aUser(admin._id, admin.name, { role: 'admin' });
const ben = aUser('u1', 'Ben Quince');
const cleo = aUser('u2', 'Cleo Quince');
const data = {
  users: [own, ben, cleo],
  totals: { all: 3, patients: 2, doctors: 0, admins: 1, active: 3, inactive: 0 },
  pagination: { page: 1, pageSize: 20, hasNext: false, count: 3, countIsExact: true },
};
const effects = { upcoming: 0, messages: 1, appointments: [] };

function show(replies: Parameters<typeof renderAppointments>[2] = {}) {
  const page = (
    <RequireSession>
      <UsersPage />
    </RequireSession>
  );
  const calls = renderAppointments('/admin/users', page, {
    'GET /auth/profile': () => ok({ user: admin }),
    'GET /admin/users': () => ok(data),
    ...replies,
  });
  return { ...calls, user: userEvent.setup() };
}

const rowOf = async (name: string) => screen.findByRole('row', { name: new RegExp(name) });

test('offers no actions on one’s own account', async () => {
  show();
  const row = within(await rowOf(admin.name));
  expect(row.queryAllByRole('button')).toEqual([]);
  expect(row.queryAllByRole('checkbox')).toEqual([]);
});

test('asks with a preview before deactivating, then shows the server’s message', async () => {
  const { user, changed } = show({
    'PUT /admin/users/u1/status': () =>
      ok({ user: { ...ben, status: 'inactive' }, effects }, 'Account deactivated'),
  });
  await user.click(within(await rowOf('Ben')).getByRole('button', { name: /Deactivate/ }));
  const question = await screen.findByRole('alertdialog', {
    name: 'Are you sure you want to deactivate this user?',
  });
  await within(question).findByText('There are no upcoming appointments.');
  await user.click(within(question).getByRole('button', { name: 'Deactivate' }));
  expect(await screen.findByText('Account deactivated')).toBeTruthy();
  expect(within(await rowOf('Ben')).getByText('Inactive')).toBeTruthy();
  const body = { status: 'inactive' };
  expect(changed()).toEqual([
    ['PUT /admin/users/u1/status?preview=true', body],
    ['PUT /admin/users/u1/status', body],
  ]);
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() =>
    expect(changed().at(-1)).toEqual(['PUT /admin/users/u1/status', { status: 'active' }]),
  );
});

test('shows a refusal in the dialog and changes nothing', async () => {
  let asked = 0;
  const { user } = show({
    'PUT /admin/users/u1/status': () => {
      asked += 1;
      return asked === 1
        ? ok({ user: ben, effects })
        : apiError(409, 'last_admin', 'The last one.');
    },
  });
  await user.click(within(await rowOf('Ben')).getByRole('button', { name: /Deactivate/ }));
  const question = await screen.findByRole('alertdialog');
  await within(question).findByText('There are no upcoming appointments.');
  await user.click(within(question).getByRole('button', { name: 'Deactivate' }));
  expect((await within(question).findByRole('alert')).textContent).toContain('The last one.');
  expect(within(await rowOf('Ben')).getByText('Active')).toBeTruthy();
});

test('deactivates several users after one confirmation, and undoes exactly those', async () => {
  let status = '';
  const { user, changed } = show({
    'PUT /admin/users/status': () => {
      status = status ? 'again' : 'first';
      const refused = [{ _id: 'u2', code: 'not_found', message: 'Nobody is there.' }];
      return ok(
        status === 'first' ? { changed: ['u1'], refused } : { changed: ['u1'], refused: [] },
      );
    },
  });
  await user.click(await screen.findByLabelText('Select all on this page'));
  await user.click(screen.getByRole('button', { name: 'Deactivate selected' }));
  const question = await screen.findByRole('alertdialog', {
    name: 'Are you sure you want to deactivate 2 users?',
  });
  await user.click(within(question).getByRole('button', { name: 'Deactivate' }));
  await screen.findByText(/1 user deactivated. 1 user wasn’t. Cleo Quince: Nobody is there./);
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await screen.findByText('1 user activated.');
  expect(changed()).toEqual([
    ['PUT /admin/users/status', { ids: ['u1', 'u2'], status: 'inactive' }],
    ['PUT /admin/users/status', { ids: ['u1'], status: 'active' }],
  ]);
});

test('updates the totals once per changed status', () => {
  const after = withStatus(data, ['u1', 'nobody'], 'inactive');
  expect(after.users.map(({ status }) => status)).toEqual(['active', 'inactive', 'active']);
  expect([after.totals.active, after.totals.inactive]).toEqual([2, 1]);
  expect(withStatus(after, ['u1'], 'inactive').totals).toEqual(after.totals);
});

test('describes a result without refusals in one sentence', () => {
  expect(resultText({ changed: ['a', 'b'], refused: [] }, 'active', new Map())).toBe(
    '2 users activated.',
  );
});
