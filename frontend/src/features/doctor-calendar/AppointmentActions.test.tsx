import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Appointment, AppointmentStatus, Proposal } from '@/api/types';
import { useSession } from '@/domain/session/session';
import { apiError, ok } from '@/testing/apiResponses';
import { appointmentsData, makeAppointment, renderAppointments } from '@/testing/appointments';
import { slots } from '@/testing/doctors';
import { doctor } from '@/testing/users';
import DoctorAppointmentsPage from './DoctorAppointmentsPage';

const AHEAD = { startsAt: '2999-12-08T19:00:00Z', endsAt: '2999-12-08T20:00:00Z' };
const OVER = { startsAt: '2020-12-08T19:00:00Z', endsAt: '2020-12-08T20:00:00Z' };

const question = (status: string) => `Are you sure you want to mark this appointment as ${status}?`;

/** Render the page once the profile has loaded, like its guard. */
function Below() {
  const { user } = useSession();
  return user && <DoctorAppointmentsPage />;
}

/** Show the page with one appointment; gives what is sent. A change is granted unless `reply` says otherwise. */
function show(appointment: Appointment, becomes: AppointmentStatus, reply?: () => Response) {
  const { changed } = renderAppointments('/doctor/appointments', <Below />, {
    'GET /auth/profile': () => ok({ user: doctor }),
    'GET /appointments': () => ok(appointmentsData(appointment)),
    'PUT /appointments/appointment-1/status':
      reply ?? (() => ok({ appointment: { ...appointment, status: becomes } })),
  });
  return () => changed().map(([, body]) => body);
}

test('confirms a request after a confirmation dialog', async () => {
  const sent = show(makeAppointment({ ...AHEAD, status: 'pending' }), 'confirmed');
  const user = userEvent.setup();
  await user.click(
    await screen.findByRole('button', { name: 'Confirm Amina Yusuf, Tuesday 8 December, 14:00' }),
  );
  const dialog = await screen.findByRole('alertdialog', { name: question('confirmed') });
  await user.click(within(dialog).getByRole('button', { name: 'Confirm' }));
  expect(await screen.findByText('Appointment marked as confirmed successfully!')).toBeTruthy();
  expect(sent()).toEqual([{ status: 'confirmed', expectedStatus: 'pending' }]);
  // The row stays where it was, and focus on it.
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Amina Yusuf'));
});

test('sends an optional reason with a decline', async () => {
  const sent = show(makeAppointment({ ...AHEAD, status: 'pending' }), 'cancelled');
  const user = userEvent.setup();
  await user.click(
    await screen.findByRole('button', { name: 'Decline Amina Yusuf, Tuesday 8 December, 14:00' }),
  );
  const dialog = await screen.findByRole('dialog', { name: question('cancelled') });
  await user.type(within(dialog).getByRole('textbox'), ' On leave. ');
  await user.click(within(dialog).getByRole('button', { name: 'Decline' }));
  expect(await screen.findByText('Appointment marked as cancelled successfully!')).toBeTruthy();
  expect(sent()).toEqual([{ status: 'cancelled', reason: 'On leave.', expectedStatus: 'pending' }]);
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Amina Yusuf'));
});

test('keeps the dialog and the typed text if declining is refused', async () => {
  show(makeAppointment({ ...AHEAD, status: 'pending' }), 'cancelled', () =>
    apiError(500, 'broken'),
  );
  const user = userEvent.setup();
  await user.click(
    await screen.findByRole('button', { name: 'Decline Amina Yusuf, Tuesday 8 December, 14:00' }),
  );
  const dialog = await screen.findByRole('dialog');
  await user.type(within(dialog).getByRole('textbox'), 'On leave.');
  await user.click(within(dialog).getByRole('button', { name: 'Decline' }));
  expect(await within(dialog).findByText('Failed to update appointment status')).toBeTruthy();
  expect(within(dialog).getByRole<HTMLTextAreaElement>('textbox').value).toBe('On leave.');
});

test('reports an outdated decline outside its row with the typed reason', async () => {
  const appointment = makeAppointment({ ...AHEAD, status: 'pending' });
  let isTaken = false;
  renderAppointments('/doctor/appointments?status=pending', <Below />, {
    'GET /auth/profile': () => ok({ user: doctor }),
    'GET /appointments': () => ok(isTaken ? appointmentsData() : appointmentsData(appointment)),
    'PUT /appointments/appointment-1/status': () => {
      isTaken = true;
      return apiError(409, 'illegal_transition', 'This appointment has already been confirmed.');
    },
  });
  const user = userEvent.setup();
  await user.click(
    await screen.findByRole('button', { name: 'Decline Amina Yusuf, Tuesday 8 December, 14:00' }),
  );
  const dialog = await screen.findByRole('dialog');
  await user.type(within(dialog).getByRole('textbox'), 'On leave.');
  await user.click(within(dialog).getByRole('button', { name: 'Decline' }));
  // The row goes, the error stays.
  expect(await screen.findByText('No pending appointments')).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
  const alert = screen.getByRole('alert');
  expect(alert.textContent).toContain('This appointment has already been confirmed.');
  expect(alert.textContent).toContain('Amina Yusuf');
  expect(within(alert).getByText('On leave.')).toBeTruthy();
  expect(within(alert).getByRole('button', { name: 'Copy text' })).toBeTruthy();
});

const MINUTE = 60_000;
const at = (ms: number) => new Date(Date.now() + ms).toISOString();

test('completes an appointment after a confirmation dialog', async () => {
  const appointment = makeAppointment({
    ...OVER,
    status: 'confirmed',
    completableFrom: '2020-12-08T18:45:00Z',
  });
  const sent = show(appointment, 'completed');
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: /^Mark as completed/ }));
  const dialog = await screen.findByRole('alertdialog', { name: question('completed') });
  expect(dialog.textContent).not.toContain('It hasn’t started yet.');
  await user.click(within(dialog).getByRole('button', { name: 'Mark as completed' }));
  expect(await screen.findByText('Appointment marked as completed successfully!')).toBeTruthy();
  expect(sent()).toEqual([{ status: 'completed', expectedStatus: 'confirmed' }]);
});

test.each([
  ['one minute before it can be completed', MINUTE, false],
  ['from then on', -MINUTE, true],
] as const)('Mark as completed %s', async (_, from, isShown) => {
  show(
    makeAppointment({
      startsAt: at(16 * MINUTE),
      endsAt: at(76 * MINUTE),
      completableFrom: at(from),
    }),
    'completed',
  );
  expect(await screen.findByRole('button', { name: /^Reschedule/ })).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Mark as completed/ }) !== null).toBe(isShown);
});

test('requires a reason to cancel a confirmed appointment', async () => {
  const appointment = makeAppointment({ ...AHEAD });
  const { changed } = renderAppointments('/doctor/appointments', <Below />, {
    'GET /auth/profile': () => ok({ user: doctor }),
    'GET /config': () => ok({ policies: { doctorCancelsConfirmed: true } }),
    'GET /appointments': () => ok(appointmentsData(appointment)),
    'PUT /appointments/appointment-1/status': () =>
      ok({ appointment: { ...appointment, status: 'cancelled' }, changed: true }),
  });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: /^Cancel appointment Amina Yusuf/ }));
  const dialog = await screen.findByRole('dialog', { name: question('cancelled') });
  await user.click(within(dialog).getByRole('button', { name: 'Cancel appointment' }));
  expect((await within(dialog).findAllByText('Please give a reason.')).length).toBeGreaterThan(0);
  await user.type(within(dialog).getByRole('textbox'), 'I am ill.');
  await user.click(within(dialog).getByRole('button', { name: 'Cancel appointment' }));
  expect(await screen.findByText('Appointment marked as cancelled successfully!')).toBeTruthy();
  expect(changed().map(([, body]) => body)).toEqual([
    { status: 'cancelled', reason: 'I am ill.', expectedStatus: 'confirmed' },
  ]);
});

test('reopens a completed appointment within a day', async () => {
  const appointment = makeAppointment({
    ...OVER,
    status: 'completed',
    attended: true,
    reopenUntil: at(MINUTE),
  });
  const { changed } = renderAppointments('/doctor/appointments', <Below />, {
    'GET /auth/profile': () => ok({ user: doctor }),
    'GET /appointments': () => ok(appointmentsData(appointment)),
    'POST /appointments/appointment-1/reopen': () =>
      ok({
        appointment: { ...appointment, status: 'confirmed', attended: null, reopenUntil: null },
      }),
  });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: /^Reopen Amina Yusuf/ }));
  const dialog = await screen.findByRole('alertdialog', { name: 'Reopen this appointment?' });
  await user.click(within(dialog).getByRole('button', { name: 'Reopen' }));
  expect(await screen.findByText('Appointment reopened')).toBeTruthy();
  expect(changed().map(([path]) => path)).toEqual(['POST /appointments/appointment-1/reopen']);
});

test('shows the badge “No-show” for a missed appointment', async () => {
  show(makeAppointment({ ...OVER, status: 'completed', attended: false }), 'completed');
  const row = (await screen.findByText('Amina Yusuf')).closest('li') as HTMLElement;
  expect(within(row).getByText('No-show')).toBeTruthy();
  expect(within(row).queryByText('Completed')).toBeNull();
});

test('moves an appointment immediately, as agreed by phone', async () => {
  const appointment = makeAppointment({ ...AHEAD });
  const { changed } = renderAppointments('/doctor/appointments', <Below />, {
    'GET /auth/profile': () => ok({ user: doctor }),
    'GET /appointments': () => ok(appointmentsData(appointment)),
    'GET /doctors/doctor-1/slots': () => ok(slots('2026-12-07', 62, {})),
    'POST /appointments/appointment-1/move': () =>
      ok({
        appointment: { ...appointment, appointmentDate: '2999-12-09', appointmentTime: '19:30' },
      }),
  });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: /^Reschedule Amina Yusuf/ }));
  const dialog = await screen.findByRole('dialog', { name: 'Reschedule' });
  expect(within(dialog).getByRole('link', { name: '+1 617 555 0134' })).toBeTruthy();
  await user.click(within(dialog).getByRole('radio', { name: 'Move now (agreed by phone)' }));
  await user.click(within(dialog).getByRole('radio', { name: 'Another date and time' }));
  fireEvent.change(within(dialog).getByLabelText('Date'), { target: { value: '2999-12-09' } });
  fireEvent.change(within(dialog).getByLabelText('Time'), { target: { value: '19:30' } });
  await user.click(within(dialog).getByRole('button', { name: /^Move to / }));
  expect(await screen.findByText('Appointment moved')).toBeTruthy();
  expect(changed()).toEqual([
    [
      'POST /appointments/appointment-1/move',
      {
        appointmentDate: '2999-12-09',
        appointmentTime: '19:30',
        reason: '',
        outsideHours: true,
      },
    ],
  ]);
});

test('shows the server’s message when an action is refused', async () => {
  show(
    makeAppointment({ ...OVER, status: 'confirmed', completableFrom: '2020-12-08T18:45:00Z' }),
    'completed',
    () => apiError(409, 'illegal_transition', 'The patient has cancelled.'),
  );
  const user = userEvent.setup();
  await user.click(
    await screen.findByRole('button', {
      name: 'Mark as completed Amina Yusuf, Tuesday 8 December, 14:00',
    }),
  );
  const dialog = await screen.findByRole('alertdialog');
  await user.click(within(dialog).getByRole('button', { name: 'Mark as completed' }));
  expect(await screen.findByText('The patient has cancelled.')).toBeTruthy();
});

test.each(['completed', 'cancelled'] as const)(
  'offers no actions for a %s appointment',
  async (status) => {
    show(makeAppointment({ ...OVER, status }), status);
    const row = (await screen.findByText('Amina Yusuf')).closest('li') as HTMLElement;
    expect(within(row).queryAllByRole('button')).toEqual([]);
  },
);

const PROPOSAL: Proposal = {
  _id: 'proposal-1',
  proposedBy: 'patient',
  reason: 'I work until two.',
  appointmentDate: '2999-12-09',
  appointmentTime: '15:00',
  timeZone: 'America/New_York',
  startsAt: '2999-12-09T20:00:00Z',
  endsAt: '2999-12-09T20:00:00Z',
  minutes: 60,
  expiresAt: '2999-12-01T20:00:00Z',
};

test('lists “I can’t make it” first and accepts it with one click', async () => {
  const asking = makeAppointment({
    ...AHEAD,
    cancelRequest: { requestedAt: '2026-11-01T10:00:00Z', reason: 'I am ill.' },
  });
  const sent = show(asking, 'cancelled');
  expect(await screen.findByText('Amina Yusuf can’t make it.')).toBeTruthy();
  expect(
    screen.getByRole('heading', { name: 'Patients asking to cancel or reschedule' }),
  ).toBeTruthy();
  // It is above the list and not in it as well.
  expect(screen.getAllByText('Amina Yusuf')).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: /^Accept and cancel Amina Yusuf/ }));
  expect(await screen.findByText('Appointment marked as cancelled successfully!')).toBeTruthy();
  expect(sent()).toEqual([{ status: 'cancelled', expectedStatus: 'confirmed' }]);
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Amina Yusuf'));
});

test.each([
  ['patient', 'Accept', true],
  ['patient', 'Decline', false],
  ['doctor', 'Withdraw', false],
] as const)('shows a proposal of the %s: %s', async (proposedBy, action, accept) => {
  const appointment = makeAppointment({ ...AHEAD, proposal: { ...PROPOSAL, proposedBy } });
  const { changed } = renderAppointments('/doctor/appointments', <Below />, {
    'GET /auth/profile': () => ok({ user: doctor }),
    'GET /appointments': () => ok(appointmentsData(appointment)),
    'PUT /appointments/appointment-1/proposal': () =>
      ok({ appointment: { ...appointment, proposal: null } }),
  });
  const name = new RegExp(`^${action} Amina Yusuf, `);
  await userEvent.click(await screen.findByRole('button', { name }));
  await waitFor(() =>
    expect(changed()).toEqual([['PUT /appointments/appointment-1/proposal', { accept }]]),
  );
  await waitFor(() => expect(screen.queryByRole('button', { name })).toBeNull());
});

test('marks appointments outside the working hours', async () => {
  show(makeAppointment({ ...AHEAD, outsideHours: true }), 'cancelled');
  expect(await screen.findByText('Outside your hours')).toBeTruthy();
});

test('shows that a request expired', async () => {
  show(
    makeAppointment({
      ...OVER,
      status: 'cancelled',
      cancelledBy: 'system',
      cancelReason: 'expired',
    }),
    'cancelled',
  );
  expect(
    await screen.findByText('You didn’t reply in time, so this request has expired.'),
  ).toBeTruthy();
});
