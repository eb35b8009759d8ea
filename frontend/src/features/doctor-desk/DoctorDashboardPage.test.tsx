import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Appointment, Dashboard } from '@/api/types';
import { useSession } from '@/domain/session/session';
import { ok, refusal } from '@/testing/answers';
import { doctor } from '@/testing/people';
import { aVisit, renderVisits } from '@/testing/visits';
import DoctorDashboardPage from './DoctorDashboardPage';
import { standing } from './standing';

const AHEAD = { startsAt: '2999-12-08T19:00:00Z', endsAt: '2999-12-08T20:00:00Z' };
const OVER = { startsAt: '2020-12-08T19:00:00Z', endsAt: '2020-12-08T20:00:00Z' };

const REQUEST = aVisit({ ...AHEAD, _id: 'request', status: 'pending' });

function dashboard(changes: Partial<Dashboard> = {}): Dashboard {
  return {
    totals: {
      appointments: 1234,
      today: 9,
      todayLeft: 4,
      patients: 11,
      waiting: 1,
      unfinished: 0,
      earnings: [
        { currency: 'USD', amount: 3480 },
        { currency: 'EUR', amount: 99.5 },
      ],
    },
    waiting: [],
    asking: [],
    next: [],
    today: [],
    unfinished: [],
    recent: [],
    ...changes,
  };
}

/** The page as below its guard: the profile is there. */
function Below() {
  const { user } = useSession();
  return user && <DoctorDashboardPage />;
}

/** Show the page; the day is answered by each reply in turn, the last one for good. */
function show(days: Dashboard[], more: Parameters<typeof renderVisits>[2] = {}) {
  return renderVisits('/doctor/dashboard', <Below />, {
    'GET /auth/profile': () => ok({ user: doctor }),
    'GET /doctors/dashboard': () => ok((days.length > 1 ? days.shift() : days[0]) as Dashboard),
    ...more,
  });
}

test('a new doctor reads what the application still lacks', async () => {
  const lacking = { state: 'open', licenseAuthority: '', licenseExpiresOn: '2030-01-31' };
  show([dashboard()], {
    'GET /auth/profile': () =>
      ok({ user: { ...doctor, isApproved: false, approval: { state: 'pending', reason: '' } } }),
    'GET /doctors/verification': () =>
      ok({ approval: { state: 'pending', reason: '' }, cases: [lacking] }),
  });
  const link = await screen.findByRole('link', { name: 'Complete your application' });
  expect(link.closest('p')?.textContent).toContain('need to know who issued your licence.');
});

test('what was dealt with stays where it was, though the server names it no more', async () => {
  const confirmed: Appointment = { ...REQUEST, status: 'confirmed' };
  const { changed, asked } = show(
    [dashboard({ waiting: [REQUEST] }), dashboard({ next: [confirmed] })],
    { 'PUT /appointments/request/status': () => ok({ appointment: confirmed }) },
  );
  const queue = await screen.findByRole('region', { name: 'Waiting for your answer' });
  await userEvent.click(within(queue).getByRole('button', { name: 'Confirm' }));
  const question = await screen.findByRole('alertdialog');
  await userEvent.click(within(question).getByRole('button', { name: 'Confirm' }));
  await waitFor(() =>
    expect(asked().filter((path) => path === '/doctors/dashboard')).toHaveLength(2),
  );
  expect(await within(queue).findByText('Confirmed')).toBeTruthy();
  expect(changed()).toEqual([['PUT /appointments/request/status', { status: 'confirmed' }]]);
  const next = screen.getByRole('region', { name: 'Now and next' });
  expect(await within(next).findByRole('link', { name: 'Amina Yusuf' })).toBeTruthy();
});

test('a request says that it waits, beside by when to answer', async () => {
  const createdAt = new Date(Date.now() - 16 * 3_600_000).toISOString();
  show([dashboard({ waiting: [{ ...REQUEST, createdAt }] })]);
  const age = await screen.findByText('Waiting for 16 hours');
  expect(age.querySelector('.visually-hidden')).toBeNull();
});

test('who cannot come stands above other wishes, and they above requests', async () => {
  const cannot = aVisit({
    ...AHEAD,
    _id: 'cannot',
    patient: { ...REQUEST.patient, name: 'Cora Ill' },
    cancelRequest: { requestedAt: '2026-11-01T10:00:00Z', reason: 'I am ill.' },
  });
  const moving = aVisit({
    ...AHEAD,
    _id: 'moving',
    patient: { ...REQUEST.patient, name: 'Milo Moving' },
    proposal: {
      _id: 'proposal-1',
      proposedBy: 'patient',
      reason: '',
      appointmentDate: '2999-12-09',
      appointmentTime: '15:00',
      timeZone: 'America/New_York',
      startsAt: '2999-12-09T20:00:00Z',
      expiresAt: '2999-12-01T20:00:00Z',
    },
  });
  show([dashboard({ waiting: [REQUEST], asking: [moving, cannot] })]);
  const queue = await screen.findByRole('region', { name: 'Waiting for your answer' });
  expect(
    within(queue)
      .getAllByRole('heading', { level: 3 })
      .map((each) => each.textContent),
  ).toEqual(['Cora Ill', 'Milo Moving', 'Amina Yusuf']);
});

test('a visit that is over is finished from here, also as one nobody came to', async () => {
  const over = aVisit({ ...OVER, _id: 'over' });
  const { changed } = show([dashboard({ unfinished: [over] }), dashboard()], {
    'PUT /appointments/over/status': () =>
      ok({ appointment: { ...over, status: 'completed', attended: false } }),
  });
  const open = await screen.findByRole('region', { name: 'Not finished yet' });
  await userEvent.click(within(open).getByRole('button', { name: 'Did not come' }));
  const question = await screen.findByRole('alertdialog');
  await userEvent.click(within(question).getByRole('button', { name: 'Did not come' }));
  expect(await within(open).findByText('The patient did not come.')).toBeTruthy();
  expect(changed()).toEqual([
    ['PUT /appointments/over/status', { status: 'completed', attended: false }],
  ]);
});

test('the figures lead to what they count', async () => {
  show([dashboard()]);
  const figures = await screen.findByRole('region', { name: 'Figures' });
  const links = within(figures).getAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Total appointments 1,234', '/doctor/appointments'],
    ['Today’s appointments 9', '/doctor/appointments?view=day'],
    ['Total patients 11', '/doctor/patients'],
    ['Total earnings $3,480 + €99.50', '/doctor/appointments?status=completed&attended=true'],
  ]);
});

test('a day that does not load can be asked for again', async () => {
  let fine = false;
  show([dashboard()], {
    'GET /doctors/dashboard': () => (fine ? ok(dashboard()) : refusal(403, 'wrong_role')),
  });
  expect(await screen.findByText('We could not load your day')).toBeTruthy();
  fine = true;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Nobody is waiting')).toBeTruthy();
});

test('a row that went by another hand goes', () => {
  const kept = new Map<string, Appointment>();
  const pending = (visit: Appointment) => visit.status === 'pending';
  const other = { ...REQUEST, _id: 'other' };
  expect(standing(kept, [REQUEST, other], pending)).toEqual([REQUEST, other]);
  const confirmed: Appointment = { ...REQUEST, status: 'confirmed' };
  // Confirmed here, and shown so before the server is asked anew.
  expect(standing(kept, [confirmed, other], pending)).toEqual([confirmed, other]);
  // The other one was cancelled by its patient meanwhile.
  expect(standing(kept, [], pending)).toEqual([confirmed]);
});
