import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Appointment, AppointmentStatus, Proposal } from '@/api/types';
import { useSession } from '@/domain/session/session';
import { ok, refusal } from '@/testing/answers';
import { doctor } from '@/testing/people';
import { aVisit, renderVisits, visitsData } from '@/testing/visits';
import DoctorAppointmentsPage from './DoctorAppointmentsPage';

const AHEAD = { startsAt: '2999-12-08T19:00:00Z', endsAt: '2999-12-08T20:00:00Z' };
const OVER = { startsAt: '2020-12-08T19:00:00Z', endsAt: '2020-12-08T20:00:00Z' };

const question = (status: string) => `Are you sure you want to mark this appointment as ${status}?`;

/** The page as below its guard: the profile is there. */
function Below() {
  const { user } = useSession();
  return user && <DoctorAppointmentsPage />;
}

/** Show the page with one visit; gives what is sent. A change is granted unless `reply` says otherwise. */
function show(visit: Appointment, becomes: AppointmentStatus, reply?: () => Response) {
  const { changed } = renderVisits('/doctor/appointments', <Below />, {
    'GET /auth/profile': () => ok({ user: doctor }),
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
  expiresAt: '2999-12-01T20:00:00Z',
};

test('“I cannot come” stands first and is accepted with one press', async () => {
  const asking = aVisit({
    ...AHEAD,
    cancelRequest: { requestedAt: '2026-11-01T10:00:00Z', reason: 'I am ill.' },
  });
  const sent = show(asking, 'cancelled');
  expect(await screen.findByText('Amina Yusuf cannot come.')).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Patients asking to cancel or move' })).toBeTruthy();
  // It stands above the list and not in it as well.
  expect(screen.getAllByText('Amina Yusuf')).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: 'Accept and cancel' }));
  expect(await screen.findByText('Appointment marked as cancelled successfully!')).toBeTruthy();
  expect(sent()).toEqual([{ status: 'cancelled' }]);
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Amina Yusuf'));
});

test.each([
  ['patient', 'Accept', true],
  ['patient', 'Decline', false],
  ['doctor', 'Withdraw', false],
] as const)('a proposal of the %s: %s', async (proposedBy, action, accept) => {
  const visit = aVisit({ ...AHEAD, proposal: { ...PROPOSAL, proposedBy } });
  const { changed } = renderVisits('/doctor/appointments', <Below />, {
    'GET /auth/profile': () => ok({ user: doctor }),
    'GET /appointments': () => ok(visitsData(visit)),
    'PUT /appointments/visit-1/proposal': () => ok({ appointment: { ...visit, proposal: null } }),
  });
  await userEvent.click(await screen.findByRole('button', { name: action }));
  await waitFor(() =>
    expect(changed()).toEqual([['PUT /appointments/visit-1/proposal', { accept }]]),
  );
  await waitFor(() => expect(screen.queryByRole('button', { name: action })).toBeNull());
});

test('what lies outside the hours is marked', async () => {
  show(aVisit({ ...AHEAD, outsideHours: true }), 'cancelled');
  expect(await screen.findByText('Outside your hours')).toBeTruthy();
});

test('a request that ran out says so', async () => {
  show(
    aVisit({ ...OVER, status: 'cancelled', cancelledBy: 'system', cancelReason: 'expired' }),
    'cancelled',
  );
  expect(
    await screen.findByText('You did not answer in time, so this request has ended.'),
  ).toBeTruthy();
});
