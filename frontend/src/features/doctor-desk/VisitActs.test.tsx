import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Appointment, AppointmentStatus } from '@/api/types';
import { ok, refusal } from '@/testing/answers';
import { aVisit, renderVisits, visitsData } from '@/testing/visits';
import DoctorAppointmentsPage from './DoctorAppointmentsPage';

const AHEAD = { startsAt: '2999-12-08T19:00:00Z', endsAt: '2999-12-08T20:00:00Z' };
const OVER = { startsAt: '2020-12-08T19:00:00Z', endsAt: '2020-12-08T20:00:00Z' };

const question = (status: string) => `Are you sure you want to mark this appointment as ${status}?`;

/** Show the page with one visit; gives what is sent. A change is granted unless `reply` says otherwise. */
function show(visit: Appointment, becomes: AppointmentStatus, reply?: () => Response) {
  const { changed } = renderVisits('/doctor/appointments', <DoctorAppointmentsPage />, {
    'GET /appointments': () => ok(visitsData(visit)),
    'PUT /appointments/visit-1/status':
      reply ?? (() => ok({ appointment: { ...visit, status: becomes } })),
  });
  return () => changed().map(([, body]) => body);
}

test('a doctor confirms a request after a question', async () => {
  const sent = show(aVisit({ ...AHEAD, status: 'pending' }), 'confirmed');
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Confirm' }));
  const dialog = await screen.findByRole('alertdialog', { name: question('confirmed') });
  await user.click(within(dialog).getByRole('button', { name: 'Confirm' }));
  expect(await screen.findByText('Appointment marked as confirmed successfully!')).toBeTruthy();
  expect(sent()).toEqual([{ status: 'confirmed' }]);
  // The row stays where it was, and focus on it.
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Amina Yusuf'));
});

test('declining may carry a reason', async () => {
  const sent = show(aVisit({ ...AHEAD, status: 'pending' }), 'cancelled');
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Decline' }));
  const dialog = await screen.findByRole('dialog', { name: question('cancelled') });
  await user.type(within(dialog).getByRole('textbox'), ' On leave. ');
  await user.click(within(dialog).getByRole('button', { name: 'Decline' }));
  expect(await screen.findByText('Appointment marked as cancelled successfully!')).toBeTruthy();
  expect(sent()).toEqual([{ status: 'cancelled', reason: 'On leave.' }]);
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Amina Yusuf'));
});

test('a refused decline stays in the dialog with what was typed', async () => {
  show(aVisit({ ...AHEAD, status: 'pending' }), 'cancelled', () => refusal(500, 'broken'));
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Decline' }));
  const dialog = await screen.findByRole('dialog');
  await user.type(within(dialog).getByRole('textbox'), 'On leave.');
  await user.click(within(dialog).getByRole('button', { name: 'Decline' }));
  expect(await within(dialog).findByText('Failed to update appointment status')).toBeTruthy();
  expect(within(dialog).getByRole<HTMLTextAreaElement>('textbox').value).toBe('On leave.');
});

test.each([
  ['has not started yet', AHEAD, true],
  ['is over', OVER, false],
] as const)('completing a visit that %s', async (_, times, early) => {
  const sent = show(aVisit({ ...times, status: 'confirmed' }), 'completed');
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Mark as completed' }));
  const dialog = await screen.findByRole('alertdialog', { name: question('completed') });
  expect(dialog.textContent?.includes('The visit has not started yet.')).toBe(early);
  await user.click(within(dialog).getByRole('button', { name: 'Mark as completed' }));
  expect(await screen.findByText('Appointment marked as completed successfully!')).toBeTruthy();
  expect(sent()).toEqual([{ status: 'completed' }]);
});

test('a refusal shows the server’s sentence', async () => {
  show(aVisit({ ...OVER, status: 'confirmed' }), 'completed', () =>
    refusal(409, 'illegal_transition', 'The patient cancelled meanwhile.'),
  );
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Mark as completed' }));
  const dialog = await screen.findByRole('alertdialog');
  await user.click(within(dialog).getByRole('button', { name: 'Mark as completed' }));
  expect(await screen.findByText('The patient cancelled meanwhile.')).toBeTruthy();
});

test.each(['completed', 'cancelled'] as const)(
  'nothing can be done with a %s visit',
  async (status) => {
    show(aVisit({ ...OVER, status }), status);
    await screen.findByText('Amina Yusuf');
    expect(screen.queryAllByRole('button')).toEqual([]);
  },
);
