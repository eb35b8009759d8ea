import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AppointmentDetail, Proposal } from '@/api/types';
import { apiError, ok } from '@/testing/apiResponses';
import { makeAppointment, renderAppointments } from '@/testing/appointments';
import AppointmentPage from './AppointmentPage';

beforeEach(() => vi.useFakeTimers({ now: new Date('2026-12-01T12:00:00Z'), toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

const proposal: Proposal = {
  _id: 'proposal-1',
  proposedBy: 'doctor',
  reason: 'A conference',
  appointmentDate: '2026-12-10',
  appointmentTime: '10:00',
  timeZone: 'America/New_York',
  startsAt: '2026-12-10T15:00:00Z',
  endsAt: '2999-12-09T20:00:00Z',
  minutes: 60,
  expiresAt: '2026-12-03T17:00:00Z',
};
const proposed = makeAppointment({ proposal });
const moved = makeAppointment({ appointmentDate: '2026-12-10', appointmentTime: '10:00' });

function open(
  detail: Partial<AppointmentDetail>,
  replies: Parameters<typeof renderAppointments>[2] = {},
) {
  return renderAppointments(
    '/patient/appointments/appointment-1',
    <AppointmentPage />,
    {
      'GET /appointments/appointment-1': () =>
        ok({ appointment: proposed, history: [], alternatives: [], ...detail }),
      ...replies,
    },
    '/patient/appointments/:id',
  );
}

test.each([
  ['Accept new time', true, 'New time accepted'],
  ['Keep current time', false, 'Your appointment’s time hasn’t changed'],
])('answers the doctor’s proposal: %s', async (button, accept, said) => {
  let appointment = proposed;
  const server = open(
    {},
    {
      'GET /appointments/appointment-1': () => ok({ appointment, history: [], alternatives: [] }),
      'PUT /appointments/appointment-1/proposal': () => {
        appointment = moved;
        return ok({ appointment });
      },
    },
  );
  const panel = await screen.findByRole('region', { name: 'Dr. Ana Ruiz suggests another time' });
  expect(panel.textContent).toContain('Thursday 10 December, 10:00');
  expect(panel.textContent).toContain('A conference');
  expect(panel.textContent).toMatch(/Please reply by Thursday 3 December/);
  // A second proposal is not possible meanwhile.
  expect(screen.queryByRole('link', { name: 'Suggest another time' })).toBeNull();

  await userEvent.click(within(panel).getByRole('button', { name: button }));
  expect(await screen.findByText(said)).toBeTruthy();
  await waitFor(() => expect(panel.isConnected).toBe(false));
  expect(server.changed()).toEqual([['PUT /appointments/appointment-1/proposal', { accept }]]);
  await waitFor(() => expect(document.activeElement?.textContent).toContain('Confirmed'));
});

test('shows who opened the symptoms before there is a record', async () => {
  const reader = { name: 'Ana Ruiz', role: 'doctor', at: '2026-12-01T15:00:00Z', what: 'visit' };
  open(
    { appointment: makeAppointment({ symptoms: 'A cough' }) },
    {
      'GET /appointments/appointment-1/readers': () =>
        ok({
          readers: [{ ...reader, times: 1 }],
          pagination: { page: 1, pageSize: 20, hasNext: false, count: 1, countIsExact: true },
        }),
    },
  );
  await userEvent.click(await screen.findByText('Who opened this'));
  expect(await screen.findByText('Dr. Ana Ruiz opened this appointment at 10:00')).toBeTruthy();
});

test('tells that a proposal has been closed', async () => {
  open(
    {},
    {
      'PUT /appointments/appointment-1/proposal': () =>
        apiError(409, 'proposal_closed', 'This proposal has been answered or has run out.'),
    },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Accept new time' }));
  expect(await screen.findByText('This proposal has been answered or has run out.')).toBeTruthy();
});

test('allows withdrawing one’s own proposal', async () => {
  const own = makeAppointment({ proposal: { ...proposal, proposedBy: 'patient' } });
  const server = open(
    { appointment: own },
    { 'PUT /appointments/appointment-1/proposal': () => ok({ appointment: makeAppointment() }) },
  );
  expect(await screen.findByText(/^Dr. Ana Ruiz can reply until Thursday 3 December/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Accept new time' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Withdraw' }));
  expect(await screen.findByText('Suggestion withdrawn')).toBeTruthy();
  expect(server.changed()).toEqual([
    ['PUT /appointments/appointment-1/proposal', { accept: false }],
  ]);
});

const REQUESTED = { requestedAt: '2026-12-01T12:00:00Z', reason: 'Ill' };

test('asks the doctor with “I can’t make it” after the cutoff, and allows withdrawing', async () => {
  let appointment = makeAppointment();
  const server = open(
    {},
    {
      'GET /appointments/appointment-1': () => ok({ appointment, history: [], alternatives: [] }),
      'POST /appointments/appointment-1/cancel-request': () => {
        appointment = makeAppointment({ cancelRequest: REQUESTED });
        return ok({ appointment, cancelled: false });
      },
      'DELETE /appointments/appointment-1/cancel-request': () => {
        appointment = makeAppointment();
        return ok({ appointment });
      },
    },
  );
  const button = await screen.findByRole('button', { name: 'I can’t make it' });
  expect(screen.getByText(/It’s too late to cancel this online/)).toBeTruthy();
  await userEvent.click(button);
  const dialog = await screen.findByRole('dialog', { name: 'Can’t make it?' });
  expect(within(dialog).getByRole('link', { name: '+1 617 555 0199' })).toBeTruthy();
  expect(dialog.textContent).toContain('It stays booked until Dr. Ana Ruiz confirms.');
  await userEvent.type(within(dialog).getByLabelText(/^Reason/), 'Ill');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Request cancellation' }));

  // One status, not two.
  expect(await screen.findByText('Cancellation requested')).toBeTruthy();
  expect(screen.queryByText('Confirmed')).toBeNull();
  expect(screen.queryByText(/^See you/)).toBeNull();
  expect(screen.queryByRole('button', { name: 'I can’t make it' })).toBeNull();

  await userEvent.click(screen.getByRole('button', { name: 'I can come after all' }));
  expect(await screen.findByText('Your appointment stays booked')).toBeTruthy();
  expect(await screen.findByText('Confirmed')).toBeTruthy();
  expect(server.changed()).toEqual([
    ['POST /appointments/appointment-1/cancel-request', { reason: 'Ill' }],
    ['DELETE /appointments/appointment-1/cancel-request', undefined],
  ]);
});

test('cancels immediately with “I can’t make it” before the cutoff, after a warning', async () => {
  const appointment = makeAppointment({ cancelUntil: '2026-12-07T19:00:00Z' });
  const cancelled = makeAppointment({ status: 'cancelled', cancelledBy: 'patient' });
  open(
    { appointment },
    {
      'POST /appointments/appointment-1/cancel-request': () =>
        ok({ appointment: cancelled, cancelled: true }),
    },
  );
  expect(await screen.findByText(/^You can cancel online until Monday 7 December/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'I can’t make it' }));
  const dialog = await screen.findByRole('dialog', { name: 'Can’t make it?' });
  expect(dialog.textContent).toContain('right away');
  expect(within(dialog).queryByRole('link')).toBeNull();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel appointment' }));
  expect(await screen.findByText('Appointment cancelled successfully')).toBeTruthy();
});

test('reports a withdrawal that comes too late and shows the current status', async () => {
  let appointment = makeAppointment({ cancelRequest: REQUESTED });
  open(
    {},
    {
      'GET /appointments/appointment-1': () => ok({ appointment, history: [], alternatives: [] }),
      'DELETE /appointments/appointment-1/cancel-request': () => {
        appointment = makeAppointment({ status: 'cancelled', cancelledBy: 'patient' });
        return apiError(409, 'illegal_transition', 'The doctor has cancelled this appointment.');
      },
    },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'I can come after all' }));
  expect(await screen.findByText('The doctor has cancelled this appointment.')).toBeTruthy();
  expect(await screen.findByText('You cancelled this appointment.')).toBeTruthy();
});

test('explains accepting and waiting for a doctor’s proposal', async () => {
  open({ appointment: makeAppointment({ status: 'pending', proposal }) });
  const panel = await screen.findByRole('region', { name: 'Dr. Ana Ruiz suggests another time' });
  expect(panel.textContent).toContain(
    'If you accept, your appointment is confirmed. If you don’t reply, Dr. Ana Ruiz still needs to confirm your request for the current time.',
  );
});

test('links the follow-up button to the doctor’s times around the day', async () => {
  const past = { startsAt: '2026-11-24T19:00:00Z', endsAt: '2026-11-24T20:00:00Z' };
  const appointment = makeAppointment({
    ...past,
    appointmentDate: '2026-11-24',
    status: 'completed',
    attended: true,
    followUpDays: 90,
    record: { version: 1, writtenAt: '2026-11-24T20:00:00Z' },
  });
  open(
    { appointment },
    { 'GET /appointments/appointment-1/visit': () => ok({ appointment, attachments: [] }) },
  );
  const link = await screen.findByRole('link', { name: 'Book a follow-up' });
  expect(link.getAttribute('href')).toBe('/doctors/doctor-1?followUp=2027-02-22');
});

test('offers the nearest times for an expired request', async () => {
  open({
    appointment: makeAppointment({
      status: 'cancelled',
      cancelledBy: 'system',
      cancelReason: 'expired',
    }),
    alternatives: [{ date: '2026-12-09', time: '09:00', startsAt: '2026-12-09T14:00:00Z' }],
  });
  expect(
    await screen.findByText('Nobody replied in time, so this request has expired.'),
  ).toBeTruthy();
  expect(screen.queryByText(/Reason: expired/)).toBeNull();
  const link = await screen.findByRole('link', { name: /^Wednesday 9 December, 09:00/ });
  expect(link.getAttribute('href')).toBe(
    '/patient/book-appointment/doctor-1?date=2026-12-09&time=09%3A00',
  );
});

test('lists earlier times, the latest change first', async () => {
  const zone = { timeZone: 'America/New_York' };
  open({
    appointment: makeAppointment(),
    history: [
      {
        changedAt: '2026-11-20T12:00:00Z',
        changedBy: 'patient',
        reason: '',
        from: { date: '2026-12-01', time: '09:00', ...zone },
        to: { date: '2026-12-02', time: '09:00', ...zone },
      },
      {
        changedAt: '2026-11-21T12:00:00Z',
        changedBy: 'doctor',
        reason: '',
        from: { date: '2026-12-02', time: '09:00', ...zone },
        to: { date: '2026-12-08', time: '14:00', ...zone },
      },
    ],
  });
  const history = await screen.findByRole('region', { name: 'Change history' });
  const rows = within(history).getAllByRole('listitem');
  expect(rows[0]?.textContent).toContain('Wednesday 2 December, 09:00');
  expect(rows[0]?.textContent).toContain(', by Dr. Ana Ruiz');
  expect(rows[1]?.textContent).toContain(', by you');
});
