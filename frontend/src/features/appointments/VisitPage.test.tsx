import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AppointmentDetail, Proposal } from '@/api/types';
import { ok, refusal } from '@/testing/answers';
import { aVisit, renderVisits } from '@/testing/visits';
import VisitPage from './VisitPage';

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
  expiresAt: '2026-12-03T17:00:00Z',
};
const proposed = aVisit({ proposal });
const moved = aVisit({ appointmentDate: '2026-12-10', appointmentTime: '10:00' });

function open(
  detail: Partial<AppointmentDetail>,
  replies: Parameters<typeof renderVisits>[2] = {},
) {
  return renderVisits(
    '/patient/appointments/visit-1',
    <VisitPage />,
    {
      'GET /appointments/visit-1': () =>
        ok({ appointment: proposed, history: [], alternatives: [], ...detail }),
      ...replies,
    },
    '/patient/appointments/:id',
  );
}

test.each([
  ['Accept the new time', true, 'New time accepted'],
  ['Keep my time', false, 'Your visit keeps its time'],
])('the doctor’s proposal is answered: %s', async (button, accept, said) => {
  let appointment = proposed;
  const server = open(
    {},
    {
      'GET /appointments/visit-1': () => ok({ appointment, history: [], alternatives: [] }),
      'PUT /appointments/visit-1/proposal': () => {
        appointment = moved;
        return ok({ appointment });
      },
    },
  );
  const panel = await screen.findByRole('region', { name: 'Dr. Ana Ruiz proposes another time' });
  expect(panel.textContent).toContain('Thursday 10 December, 10:00');
  expect(panel.textContent).toContain('A conference');
  expect(panel.textContent).toMatch(/Please answer by Thursday 3 December/);
  // A second proposal is not possible meanwhile.
  expect(screen.queryByRole('link', { name: 'Propose another time' })).toBeNull();

  await userEvent.click(within(panel).getByRole('button', { name: button }));
  expect(await screen.findByText(said)).toBeTruthy();
  await waitFor(() => expect(panel.isConnected).toBe(false));
  expect(server.changed()).toEqual([['PUT /appointments/visit-1/proposal', { accept }]]);
  await waitFor(() => expect(document.activeElement?.textContent).toContain('Confirmed'));
});

test('a proposal that is closed meanwhile says so', async () => {
  open(
    {},
    {
      'PUT /appointments/visit-1/proposal': () =>
        refusal(409, 'proposal_closed', 'This proposal has been answered or has run out.'),
    },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Accept the new time' }));
  expect(await screen.findByText('This proposal has been answered or has run out.')).toBeTruthy();
});

test('one’s own proposal waits and can be withdrawn', async () => {
  const own = aVisit({ proposal: { ...proposal, proposedBy: 'patient' } });
  const server = open(
    { appointment: own },
    { 'PUT /appointments/visit-1/proposal': () => ok({ appointment: aVisit() }) },
  );
  expect(await screen.findByText(/^Dr. Ana Ruiz answers by Thursday 3 December/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Accept the new time' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Withdraw' }));
  expect(await screen.findByText('Proposal withdrawn')).toBeTruthy();
  expect(server.changed()).toEqual([['PUT /appointments/visit-1/proposal', { accept: false }]]);
});

test('“I cannot come” asks the doctor to cancel, with the clinic’s phone beside it', async () => {
  let appointment = aVisit();
  const server = open(
    {},
    {
      'GET /appointments/visit-1': () => ok({ appointment, history: [], alternatives: [] }),
      'POST /appointments/visit-1/cancel-request': () => {
        const requestedAt = '2026-12-01T12:00:00Z';
        appointment = aVisit({ cancelRequest: { requestedAt, reason: 'Ill' } });
        return ok({ appointment });
      },
    },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'I cannot come' }));
  const dialog = await screen.findByRole('dialog', { name: 'You cannot come?' });
  expect(within(dialog).getByRole('link', { name: '+1 617 555 0199' })).toBeTruthy();
  await userEvent.type(within(dialog).getByLabelText(/^Reason/), 'Ill');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Ask to cancel' }));
  expect(await screen.findByText('You said that you cannot come')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'I cannot come' })).toBeNull();
  expect(server.changed()).toEqual([
    ['POST /appointments/visit-1/cancel-request', { reason: 'Ill' }],
  ]);
});

test('a request that nobody answered offers the nearest times', async () => {
  open({
    appointment: aVisit({ status: 'cancelled', cancelledBy: 'system', cancelReason: 'expired' }),
    alternatives: [{ date: '2026-12-09', time: '09:00', startsAt: '2026-12-09T14:00:00Z' }],
  });
  expect(
    await screen.findByText('Nobody answered in time, so this request has ended.'),
  ).toBeTruthy();
  expect(screen.queryByText(/Reason: expired/)).toBeNull();
  const link = screen.getByRole('link', { name: /^Wednesday 9 December, 09:00/ });
  expect(link.getAttribute('href')).toBe(
    '/patient/book-appointment/doctor-1?date=2026-12-09&time=09%3A00',
  );
});

test('the times it had before are told, the latest move first', async () => {
  const zone = { timeZone: 'America/New_York' };
  open({
    appointment: aVisit(),
    history: [
      {
        changedAt: '2026-11-20T12:00:00Z',
        changedBy: 'patient',
        from: { date: '2026-12-01', time: '09:00', ...zone },
        to: { date: '2026-12-02', time: '09:00', ...zone },
      },
      {
        changedAt: '2026-11-21T12:00:00Z',
        changedBy: 'doctor',
        from: { date: '2026-12-02', time: '09:00', ...zone },
        to: { date: '2026-12-08', time: '14:00', ...zone },
      },
    ],
  });
  const history = await screen.findByRole('region', { name: 'Earlier times' });
  const rows = within(history).getAllByRole('listitem');
  expect(rows[0]?.textContent).toContain('Wednesday 2 December, 09:00');
  expect(rows[0]?.textContent).toContain('proposed by Dr. Ana Ruiz');
  expect(rows[1]?.textContent).toContain('asked for by you');
});
