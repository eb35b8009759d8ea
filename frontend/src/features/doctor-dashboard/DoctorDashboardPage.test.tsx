import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Appointment, Dashboard, Proposal } from '@/api/types';
import { isAwaitingPatient, unlistedRow } from '@/domain/doctor/useStableRows';
import { useSession } from '@/domain/session/session';
import { stableRows } from '@/domain/stableRows';
import { setFormatLocale } from '@/lib/locale';
import { apiError, ok } from '@/testing/apiResponses';
import { makeAppointment, renderAppointments } from '@/testing/appointments';
import { doctor } from '@/testing/users';
import DoctorDashboardPage from './DoctorDashboardPage';

const AHEAD = { startsAt: '2999-12-08T19:00:00Z', endsAt: '2999-12-08T20:00:00Z' };
const OVER = { startsAt: '2020-12-08T19:00:00Z', endsAt: '2020-12-08T20:00:00Z' };

const REQUEST = makeAppointment({ ...AHEAD, _id: 'request', status: 'pending' });

const PROPOSAL: Proposal = {
  _id: 'proposal-1',
  proposedBy: 'doctor',
  reason: '',
  appointmentDate: '2999-12-09',
  appointmentTime: '15:00',
  timeZone: 'America/New_York',
  startsAt: '2999-12-09T20:00:00Z',
  endsAt: '2999-12-09T21:00:00Z',
  minutes: 60,
  expiresAt: '2999-12-01T20:00:00Z',
};

function dashboard(changes: Partial<Dashboard> = {}): Dashboard {
  return {
    totals: {
      appointments: 1234,
      today: 9,
      todayLeft: 4,
      patients: 11,
      waiting: 1,
      waitingForPatient: 0,
      unfinished: 0,
      earnings: [
        { currency: 'USD', amount: 3480 },
        { currency: 'EUR', amount: 99.5 },
      ],
    },
    waiting: [],
    waitingForPatient: [],
    asking: [],
    next: [],
    today: [],
    unfinished: [],
    recent: [],
    ...changes,
  };
}

/** Render the page once the profile has loaded, like its guard. */
function Below() {
  const { user } = useSession();
  return user && <DoctorDashboardPage />;
}

/** Show the page; the day is answered by each reply in turn, the last one for good. */
function show(days: Dashboard[], more: Parameters<typeof renderAppointments>[2] = {}) {
  return renderAppointments('/doctor/dashboard', <Below />, {
    'GET /auth/profile': () => ok({ user: doctor }),
    'GET /doctors/dashboard': () => ok((days.length > 1 ? days.shift() : days[0]) as Dashboard),
    ...more,
  });
}

test('tells a new doctor what the application lacks', async () => {
  const lacking = { state: 'open', licenseAuthority: '', licenseExpiresOn: '2030-01-31' };
  show([dashboard()], {
    'GET /auth/profile': () =>
      ok({ user: { ...doctor, isApproved: false, approval: { state: 'pending', reason: '' } } }),
    'GET /doctors/verification': () =>
      ok({ approval: { state: 'pending', reason: '' }, cases: [lacking] }),
  });
  const link = await screen.findByRole('link', { name: 'Complete your application' });
  expect(link.closest('p')?.textContent).toContain('need to know who issued it.');
});

test('shows times of the 12-hour clock in the US', async () => {
  setFormatLocale('en-US');
  show([dashboard({ waiting: [REQUEST], today: [{ ...REQUEST, status: 'confirmed' }] })]);
  const today = await screen.findByRole('region', { name: /^Today/ });
  expect(within(today).getByText(/^2:00\sPM$/)).toBeTruthy();
  expect(
    screen.getByRole('button', { name: /^Confirm Amina Yusuf, Tuesday, December 8, 2:00\sPM$/ }),
  ).toBeTruthy();
});

const CONFIRM = 'Confirm Amina Yusuf, Tuesday 8 December, 14:00';

test('keeps a confirmed request in place after the server stops listing it', async () => {
  const confirmed: Appointment = { ...REQUEST, status: 'confirmed' };
  const { changed, asked } = show(
    [dashboard({ waiting: [REQUEST] }), dashboard({ next: [confirmed] })],
    {
      'PUT /appointments/request/status': () => ok({ appointment: confirmed, changed: true }),
    },
  );
  const queue = await screen.findByRole('region', { name: 'Waiting for your reply' });
  await userEvent.click(within(queue).getByRole('button', { name: CONFIRM }));
  await waitFor(() =>
    expect(asked().filter((path) => path === '/doctors/dashboard')).toHaveLength(2),
  );
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(await within(queue).findByText('Confirmed')).toBeTruthy();
  expect(changed()).toEqual([
    [
      'PUT /appointments/request/status',
      { status: 'confirmed', undoable: true, expectedStatus: 'pending' },
    ],
  ]);
  const next = screen.getByRole('region', { name: 'Now and next' });
  expect(await within(next).findByRole('link', { name: 'Amina Yusuf' })).toBeTruthy();
});

test('allows undoing a confirmation for ten seconds', async () => {
  const undoUntil = new Date(Date.now() + 10_000).toISOString();
  const confirmed: Appointment = { ...REQUEST, status: 'confirmed', undoUntil };
  const days = [REQUEST, null, REQUEST].map((each) => dashboard({ waiting: each ? [each] : [] }));
  const { changed } = show(days, {
    'PUT /appointments/request/status': () => ok({ appointment: confirmed, changed: true }),
    'POST /appointments/request/undo': () => ok({ appointment: REQUEST }),
  });
  const queue = await screen.findByRole('region', { name: 'Waiting for your reply' });
  await userEvent.click(within(queue).getByRole('button', { name: CONFIRM }));
  const sentence = await within(queue).findByText(
    'Confirmed. We’ll notify Amina Yusuf in a few seconds.',
  );
  // A second press of Enter must not undo it.
  expect(document.activeElement).toBe(sentence);
  await userEvent.click(within(queue).getByRole('button', { name: /^Undo Amina Yusuf/ }));
  expect(await screen.findByText('Confirmation undone')).toBeTruthy();
  expect(changed().at(-1)?.[0]).toBe('POST /appointments/request/undo');
  expect(await within(queue).findByRole('button', { name: CONFIRM })).toBeTruthy();
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Amina Yusuf'));
});

test('removes the undo after ten seconds', async () => {
  const undoUntil = new Date(Date.now() + 400).toISOString();
  show([dashboard({ waiting: [{ ...REQUEST, status: 'confirmed', undoUntil }] })]);
  const queue = await screen.findByRole('region', { name: 'Waiting for your reply' });
  expect(await within(queue).findByRole('button', { name: /^Undo/ })).toBeTruthy();
  await waitFor(() => expect(within(queue).queryByRole('button', { name: /^Undo/ })).toBeNull());
});

test('reports an undo that comes too late', async () => {
  const undoUntil = new Date(Date.now() + 10_000).toISOString();
  const confirmed: Appointment = { ...REQUEST, status: 'confirmed', undoUntil };
  show([dashboard({ waiting: [confirmed] }), dashboard()], {
    'POST /appointments/request/undo': () =>
      apiError(409, 'illegal_transition', 'This can no longer be undone.'),
  });
  await userEvent.click(await screen.findByRole('button', { name: /^Undo/ }));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Amina Yusuf, Tuesday 8 December, 14:00');
  expect(alert.textContent).toContain('This can no longer be undone.');
});

test('tells that a request was confirmed elsewhere instead of offering an undo', async () => {
  const confirmed: Appointment = { ...REQUEST, status: 'confirmed' };
  show([dashboard({ waiting: [REQUEST] })], {
    'PUT /appointments/request/status': () => ok({ appointment: confirmed, changed: false }),
  });
  await userEvent.click(await screen.findByRole('button', { name: CONFIRM }));
  expect(await screen.findByText(/This appointment was already confirmed\./)).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull();
});

test('shows a reason as not saved if the request was already cancelled', async () => {
  const cancelled: Appointment = { ...REQUEST, status: 'cancelled', cancelledBy: 'patient' };
  show([dashboard({ waiting: [REQUEST] }), dashboard()], {
    'PUT /appointments/request/status': () => ok({ appointment: cancelled, changed: false }),
  });
  await userEvent.click(await screen.findByRole('button', { name: /^Decline/ }));
  const dialog = await screen.findByRole('dialog', { name: 'Decline this request?' });
  await userEvent.type(within(dialog).getByRole('textbox'), 'On leave.');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Decline' }));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('The patient cancelled this appointment.');
  expect(alert.textContent).toContain('Your text wasn’t saved: On leave.');
});

test('reports an outdated decline although its row is gone', async () => {
  show([dashboard({ waiting: [REQUEST] }), dashboard()], {
    'PUT /appointments/request/status': () =>
      apiError(409, 'illegal_transition', 'This appointment is already confirmed.'),
  });
  await userEvent.click(await screen.findByRole('button', { name: /^Decline/ }));
  const dialog = await screen.findByRole('dialog');
  await userEvent.type(within(dialog).getByRole('textbox'), 'On leave.');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Decline' }));
  expect(await screen.findByText('No requests')).toBeTruthy();
  const alert = screen.getByRole('alert');
  expect(alert.textContent).toContain('This appointment is already confirmed.');
  expect(alert.textContent).toContain('On leave.');
});

test('lists the doctor’s proposals separately, with their own count', async () => {
  const offered = makeAppointment({
    ...AHEAD,
    _id: 'offered',
    status: 'pending',
    proposal: PROPOSAL,
    respondBy: '2999-12-02T20:00:00Z',
  });
  const day = dashboard({ waitingForPatient: [offered] });
  day.totals = { ...day.totals, waiting: 0, waitingForPatient: 3 };
  show([day]);
  const section = await screen.findByRole('region', { name: 'Waiting for the patient' });
  expect(within(section).getByRole('heading', { level: 3 }).textContent).toBe('Amina Yusuf');
  expect(within(section).getByText('3')).toBeTruthy();
  expect(section.textContent).toContain('to accept, which confirms the new time.');
  const all = within(section).getByRole('link', { name: 'View all 3' });
  expect(all.getAttribute('href')).toBe('/doctor/appointments?waitingForPatient=true');
  expect(screen.getByText('No requests')).toBeTruthy();
});

test('moves a request to the patient’s section when another time is proposed', async () => {
  const offered: Appointment = { ...REQUEST, proposal: PROPOSAL };
  const kept = new Map<string, Appointment>();
  const unanswered = (appointment: Appointment) =>
    appointment.status === 'pending' && !isAwaitingPatient(appointment);
  expect(stableRows(kept, [REQUEST], unlistedRow(unanswered))).toEqual([REQUEST]);
  // It stays where it was until the page is left, so that nothing moves under the pointer.
  expect(
    stableRows(
      kept,
      [],
      unlistedRow(unanswered, () => offered),
    ),
  ).toEqual([offered]);
  expect(
    stableRows(
      new Map(),
      [],
      unlistedRow(unanswered, () => offered),
    ),
  ).toEqual([]);
});

test('shows that a request waits, and its deadline', async () => {
  const createdAt = new Date(Date.now() - 16 * 3_600_000).toISOString();
  show([dashboard({ waiting: [{ ...REQUEST, createdAt }] })]);
  const age = await screen.findByText('Waiting for 16 hours');
  expect(age.querySelector('.visually-hidden')).toBeNull();
});

test('lists cancellations before time changes, and those before requests', async () => {
  const cannot = makeAppointment({
    ...AHEAD,
    _id: 'cannot',
    patient: { ...REQUEST.patient, name: 'Cora Ill' },
    cancelRequest: { requestedAt: '2026-11-01T10:00:00Z', reason: 'I am ill.' },
  });
  const moving = makeAppointment({
    ...AHEAD,
    _id: 'moving',
    patient: { ...REQUEST.patient, name: 'Milo Moving' },
    proposal: { ...PROPOSAL, proposedBy: 'patient' },
  });
  show([dashboard({ waiting: [REQUEST], asking: [moving, cannot] })]);
  const queue = await screen.findByRole('region', { name: 'Waiting for your reply' });
  expect(
    within(queue)
      .getAllByRole('heading', { level: 3 })
      .map((each) => each.textContent),
  ).toEqual(['Cora Ill', 'Milo Moving', 'Amina Yusuf']);
});

test('marks an appointment that has ended as a no-show', async () => {
  const over = makeAppointment({ ...OVER, _id: 'over', completableFrom: '2020-12-08T18:45:00Z' });
  const { changed } = show([dashboard({ unfinished: [over] }), dashboard()], {
    'PUT /appointments/over/status': () =>
      ok({ appointment: { ...over, status: 'completed', attended: false } }),
  });
  const open = await screen.findByRole('region', { name: 'To complete' });
  expect(within(open).getByRole('button', { name: /^Mark as completed Amina Yusuf/ })).toBeTruthy();
  await userEvent.click(within(open).getByRole('button', { name: /^No-show Amina Yusuf/ }));
  const question = await screen.findByRole('alertdialog');
  await userEvent.click(within(question).getByRole('button', { name: 'No-show' }));
  expect(await within(open).findByText('No-show')).toBeTruthy();
  expect(changed()).toEqual([
    [
      'PUT /appointments/over/status',
      { status: 'completed', attended: false, expectedStatus: 'confirmed' },
    ],
  ]);
});

test('links each figure to the rows it counts', async () => {
  show([dashboard()]);
  const figures = await screen.findByRole('region', { name: 'Figures' });
  const links = within(figures).getAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Total appointments 1,234', '/doctor/appointments'],
    ['Today’s appointments 9', '/doctor/appointments?view=day'],
    ['Total patients 11', '/doctor/patients'],
    [
      'Total earnings $3,480 + €99.50 Completed, without no-shows',
      '/doctor/appointments?status=completed&attended=true',
    ],
  ]);
});

test('shows zero earnings in the site’s currency', async () => {
  const day = dashboard();
  day.totals = { ...day.totals, earnings: [] };
  show([day], { 'GET /config': () => ok({ currency: 'USD' }) });
  const figures = await screen.findByRole('region', { name: 'Figures' });
  expect(await within(figures).findByText('$0')).toBeTruthy();
});

test('offers a retry if the dashboard does not load', async () => {
  let fine = false;
  show([dashboard()], {
    'GET /doctors/dashboard': () => (fine ? ok(dashboard()) : apiError(403, 'wrong_role')),
  });
  expect(await screen.findByText('We couldn’t load your day')).toBeTruthy();
  fine = true;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('No requests')).toBeTruthy();
});

test('removes a row that was changed elsewhere', () => {
  const kept = new Map<string, Appointment>();
  const pending = (appointment: Appointment) => appointment.status === 'pending';
  const other = { ...REQUEST, _id: 'other' };
  expect(stableRows(kept, [REQUEST, other], unlistedRow(pending))).toEqual([REQUEST, other]);
  const confirmed: Appointment = { ...REQUEST, status: 'confirmed' };
  // Confirmed here, and shown so before the refetch.
  expect(stableRows(kept, [confirmed, other], unlistedRow(pending))).toEqual([confirmed, other]);
  // The other one has been cancelled by its patient.
  expect(stableRows(kept, [], unlistedRow(pending))).toEqual([confirmed]);
});
