import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { setFormatLocale } from '@/lib/locale';
import { apiError, ok } from '@/testing/apiResponses';
import { appointmentsData, makeAppointment, renderAppointments } from '@/testing/appointments';
import AppointmentsPage from './AppointmentsPage';

// Far ahead, so that no real clock overtakes it.
const AHEAD = { startsAt: '2999-12-08T19:00:00Z', endsAt: '2999-12-08T20:00:00Z' };
const pending = makeAppointment({ ...AHEAD, status: 'pending', respondBy: '2999-12-05T19:00:00Z' });
const confirmed = makeAppointment({ ...AHEAD, _id: 'appointment-2', status: 'confirmed' });

const ADDRESS = '/patient/appointments';
const QUESTION = 'Are you sure you want to cancel this appointment?';

test('cancels a pending appointment after a confirmation and updates the card', async () => {
  const cancelled = { ...pending, status: 'cancelled', cancelledBy: 'patient', version: 2 };
  const server = renderAppointments(ADDRESS, <AppointmentsPage />, {
    'GET /appointments': () => ok(appointmentsData(pending, confirmed)),
    'PUT /appointments/appointment-1/cancel': () => ok({ appointment: cancelled }),
  });
  const user = userEvent.setup();
  const [button, ...others] = await screen.findAllByRole('button', { name: /^Cancel Appointment/ });
  expect(others).toEqual([]);

  await user.click(button as HTMLElement);
  const question = await screen.findByRole('alertdialog', { name: QUESTION });
  await user.click(within(question).getByRole('button', { name: 'Cancel appointment' }));

  expect(await screen.findByText('Appointment cancelled successfully')).toBeTruthy();
  expect(await screen.findByText('You cancelled this appointment.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Cancel Appointment/ })).toBeNull();
  // The button is gone, so focus is where the appointment is.
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Dr. Ana Ruiz'));
  expect(server.changed()).toEqual([['PUT /appointments/appointment-1/cancel', {}]]);
});

test('shows times of the 12-hour clock in the US', async () => {
  setFormatLocale('en-US');
  renderAppointments(ADDRESS, <AppointmentsPage />, {
    'GET /appointments': () => ok(appointmentsData(pending)),
  });
  expect(await screen.findByText(/^Tuesday, December 8, 2:00\sPM$/)).toBeTruthy();
});

test('cancels nothing if the dialog is dismissed', async () => {
  const server = renderAppointments(ADDRESS, <AppointmentsPage />, {
    'GET /appointments': () => ok(appointmentsData(pending)),
  });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: /^Cancel Appointment/ }));
  await user.click(await screen.findByRole('button', { name: 'Keep appointment' }));
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(server.changed()).toEqual([]);
});

test('shows why a cancellation was refused', async () => {
  renderAppointments(ADDRESS, <AppointmentsPage />, {
    'GET /appointments': () => ok(appointmentsData(pending)),
    'PUT /appointments/appointment-1/cancel': () =>
      apiError(409, 'illegal_transition', 'This appointment has been confirmed meanwhile.'),
  });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: /^Cancel Appointment/ }));
  await user.click(await screen.findByRole('button', { name: 'Cancel appointment' }));
  expect(
    await screen.findByText(
      'Failed to cancel appointment. This appointment has been confirmed meanwhile.',
    ),
  ).toBeTruthy();
});

test('shows an error and a retry if the list does not load', async () => {
  let down = true;
  renderAppointments(ADDRESS, <AppointmentsPage />, {
    'GET /appointments': () =>
      down ? apiError(400, 'invalid', '') : ok(appointmentsData(pending)),
  });
  expect(await screen.findByText('Failed to fetch appointments')).toBeTruthy();
  down = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Dr. Ana Ruiz')).toBeTruthy();
});

test.each([
  ['?scope=past&status=completed&page=2', '?scope=past&status=completed&page=2&pageSize=10'],
  ['', '?scope=upcoming&page=1&pageSize=10'],
  // Nonsense is ignored; nothing completed is ahead.
  ['?scope=soon&status=completed&page=-1', '?scope=upcoming&page=1&pageSize=10'],
])('requests, for the URL %s, %s', async (search, asked) => {
  const server = renderAppointments(`${ADDRESS}${search}`, <AppointmentsPage />, {
    'GET /appointments': () => ok(appointmentsData()),
  });
  await screen.findByText(/^No (completed|upcoming) appointments$/);
  expect(server.asked()).toContain(`/appointments${asked}`);
});

const panelOf = async (title: string) =>
  (await screen.findByRole('heading', { name: title })).closest('[role="status"]') as HTMLElement;

test('shows the booked time in the user’s time zone too', async () => {
  const inTokyo = { ...pending, timeZone: 'Asia/Tokyo' };
  renderAppointments(`${ADDRESS}?booked=appointment-1`, <AppointmentsPage />, {
    'GET /appointments': () => ok(appointmentsData(inTokyo)),
    'GET /appointments/appointment-1': () => ok({ appointment: inTokyo }),
  });
  const panel = await panelOf('Request sent');
  expect(panel.textContent).toMatch(/ \(Tokyo time, .*\d\d:\d\d your time\)/);
});

test('calls a pending appointment a request, with its deadline', async () => {
  renderAppointments(`${ADDRESS}?booked=appointment-1`, <AppointmentsPage />, {
    'GET /appointments': () => ok(appointmentsData(pending)),
    'GET /appointments/appointment-1': () => ok({ appointment: pending }),
  });
  const panel = await panelOf('Request sent');
  expect(panel.textContent).toMatch(
    /Not confirmed yet\. If Dr\. Ana Ruiz hasn’t replied by .* 5 December 2999, .*, your request expires\./,
  );
  expect(screen.queryByText('You’re all set')).toBeNull();
  expect(within(panel).getByRole('link', { name: 'View appointment' }).getAttribute('href')).toBe(
    `${ADDRESS}/appointment-1`,
  );
});

test('says "all set" only for a confirmed appointment', async () => {
  renderAppointments(`${ADDRESS}?booked=appointment-2`, <AppointmentsPage />, {
    'GET /appointments': () => ok(appointmentsData(confirmed)),
    'GET /appointments/appointment-2': () => ok({ appointment: confirmed }),
  });
  const panel = await panelOf('You’re all set');
  expect(panel.textContent).not.toContain('request');
});

test.each([
  [true, 'Accept new time', 'Your appointment with Dr. Ana Ruiz is confirmed for'],
  [false, 'Keep current time', 'Your appointment with Dr. Ana Ruiz is still on'],
])('replaces an answered proposal (%s) with a focused message', async (accept, button, said) => {
  const proposal = {
    _id: 'proposal-1',
    proposedBy: 'doctor' as const,
    appointmentDate: '2999-12-09',
    appointmentTime: '10:00',
    timeZone: 'America/New_York',
    startsAt: '2999-12-09T15:00:00Z',
    reason: '',
    endsAt: '2999-12-09T20:00:00Z',
    minutes: 60,
    expiresAt: '2999-12-05T12:00:00Z',
  };
  const server = renderAppointments(ADDRESS, <AppointmentsPage />, {
    'GET /appointments': () => ok(appointmentsData({ ...confirmed, proposal })),
    'PUT /appointments/appointment-2/proposal': () => ok({ appointment: confirmed }),
  });
  await userEvent.click(await screen.findByRole('button', { name: button }));
  await waitFor(() => expect(document.activeElement?.textContent).toContain(said));
  expect(screen.queryByRole('button', { name: button })).toBeNull();
  expect(server.changed()).toEqual([['PUT /appointments/appointment-2/proposal', { accept }]]);
});

test('offers no pending filter for past appointments', async () => {
  renderAppointments(`${ADDRESS}?scope=past`, <AppointmentsPage />, {
    'GET /appointments': () => ok(appointmentsData()),
  });
  const choices = await screen.findByRole('navigation', { name: 'Status' });
  expect(
    within(choices)
      .getAllByRole('link')
      .map(({ textContent }) => textContent),
  ).toEqual(['Any status', 'Completed', 'Cancelled', 'Confirmed']);
});

test('shows no success message for a cancelled booking', async () => {
  renderAppointments(`${ADDRESS}?booked=appointment-1`, <AppointmentsPage />, {
    'GET /appointments': () => ok(appointmentsData()),
    'GET /appointments/appointment-1': () =>
      ok({ appointment: { ...pending, status: 'cancelled', cancelledBy: 'system' } }),
  });
  await screen.findByText('No upcoming appointments');
  expect(screen.queryByText(/^Request sent|all set$/)).toBeNull();
});
