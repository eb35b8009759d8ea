import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answer, ok } from '@/testing/answers';
import { freeTime, slots } from '@/testing/doctors';
import { aVisit, renderVisits } from '@/testing/visits';
import MovePage from './MovePage';

const ROUTE = '/patient/appointments/:id/move';
const ADDRESS = '/patient/appointments/visit-1/move';
const CHOSEN = `${ADDRESS}?date=2026-12-10&time=10%3A00`;
const VISIT = '/patient/appointments/visit-1';
const FREE = { '2026-12-09': ['09:00'], '2026-12-10': ['10:00', '14:00'] };

beforeEach(() => vi.useFakeTimers({ now: new Date('2026-12-01T12:00:00Z'), toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

const pending = aVisit({ status: 'pending', respondBy: '2026-12-03T12:00:00Z' });
const confirmed = aVisit();
const moved = { appointmentDate: '2026-12-10', appointmentTime: '10:00' };

/** The browser's own button. */
function Back() {
  const navigate = useNavigate();
  return (
    <button type="button" onClick={() => navigate(-1)}>
      Back
    </button>
  );
}

function open(
  path: string,
  visit = pending,
  replies: Parameters<typeof renderVisits>[2] = {},
  beside: ReactNode = null,
) {
  return renderVisits(
    path,
    <>
      <MovePage />
      {beside}
    </>,
    {
      'GET /appointments/visit-1': () => ok({ appointment: visit, history: [], alternatives: [] }),
      'GET /doctors/doctor-1/slots': () => ok(slots('2026-12-01', 62, FREE)),
      ...replies,
    },
    ROUTE,
  );
}

const where = () => screen.getByTestId('where').textContent;
const press = async (name: string | RegExp) =>
  userEvent.click(await screen.findByRole('button', { name }));

test('a waiting visit moves to the time chosen, with old and new side by side', async () => {
  const server = open(ADDRESS, pending, {
    'PUT /appointments/visit-1/reschedule': () => ok({ appointment: { ...pending, ...moved } }),
  });
  await press(/^Thursday 10 December/);
  await press(/^10:00, Thursday 10 December/);
  expect(where()).toBe(CHOSEN);
  expect(document.activeElement?.textContent).toBe('From the old time to the new');
  expect(screen.getByText('Tuesday 8 December, 14:00')).toBeTruthy();
  expect(screen.getByText('Thursday 10 December, 10:00')).toBeTruthy();
  expect(screen.queryByLabelText(/^Reason/)).toBeNull();

  await press('Move visit');
  await waitFor(() => expect(where()).toBe(VISIT));
  expect(server.changed()).toEqual([['PUT /appointments/visit-1/reschedule', moved]]);
});

test('Back from the chosen time leads to the picker', async () => {
  open(ADDRESS, pending, {}, <Back />);
  await press(/^Thursday 10 December/);
  await press(/^10:00, Thursday 10 December/);
  expect(where()).toBe(CHOSEN);
  await press('Back');
  expect(await screen.findByRole('heading', { name: 'Choose another time' })).toBeTruthy();
  expect(where()).toBe(`${ADDRESS}?date=2026-12-10`);
});

test('for a confirmed visit another time is proposed, with a reason', async () => {
  const server = open(CHOSEN, confirmed, {
    'POST /appointments/visit-1/proposal': () =>
      answer(201, { success: true, message: '', data: { appointment: confirmed } }),
  });
  await userEvent.type(await screen.findByLabelText(/^Reason/), 'My train is late');
  await press('Send proposal');
  await waitFor(() => expect(where()).toBe(VISIT));
  expect(server.changed()).toEqual([
    ['POST /appointments/visit-1/proposal', { ...moved, reason: 'My train is late' }],
  ]);
});

test('a time that was taken is told with the nearest ones, and the reason stays', async () => {
  open(CHOSEN, confirmed, {
    'POST /appointments/visit-1/proposal': () =>
      answer(409, {
        code: 'slot_taken',
        message: 'Taken.',
        data: { alternatives: [freeTime('2026-12-10', '14:00')] },
      }),
  });
  await userEvent.type(await screen.findByLabelText(/^Reason/), 'My train is late');
  await press('Send proposal');
  await screen.findByText('Sorry, this time has just been taken');
  await press(/^Thursday 10 December, 14:00/);
  expect(where()).toBe(`${ADDRESS}?date=2026-12-10&time=14%3A00`);
  expect(screen.queryByText('Sorry, this time has just been taken')).toBeNull();
  expect((await screen.findByLabelText<HTMLTextAreaElement>(/^Reason/)).value).toBe(
    'My train is late',
  );
});

test('a refusal in words stays on the page', async () => {
  open(CHOSEN, pending, {
    'PUT /appointments/visit-1/reschedule': () =>
      answer(409, { code: 'illegal_transition', message: 'It has been confirmed meanwhile.' }),
  });
  await press('Move visit');
  expect(await screen.findByText('It has been confirmed meanwhile.')).toBeTruthy();
});

test('a visit that is over cannot be moved', async () => {
  open(ADDRESS, aVisit({ status: 'completed' }));
  expect(await screen.findByText('This visit can’t be moved to another time')).toBeTruthy();
});
