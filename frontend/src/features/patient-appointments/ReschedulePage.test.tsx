import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { apiResponse, ok } from '@/testing/apiResponses';
import { makeAppointment, renderAppointments } from '@/testing/appointments';
import { freeTime, slots } from '@/testing/doctors';
import ReschedulePage from './ReschedulePage';

const ROUTE = '/patient/appointments/:id/move';
const ADDRESS = '/patient/appointments/appointment-1/move';
const CHOSEN = `${ADDRESS}?date=2026-12-10&time=10%3A00`;
const APPOINTMENT = '/patient/appointments/appointment-1';
const FREE = { '2026-12-09': ['09:00'], '2026-12-10': ['10:00', '14:00'] };

beforeEach(() => vi.useFakeTimers({ now: new Date('2026-12-01T12:00:00Z'), toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

const RESPOND_BY = '2026-12-03T12:00:00Z';
const pending = makeAppointment({
  status: 'pending',
  respondBy: RESPOND_BY,
  rescheduleUntil: RESPOND_BY,
});
const confirmed = makeAppointment();
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
  appointment = pending,
  replies: Parameters<typeof renderAppointments>[2] = {},
  beside: ReactNode = null,
) {
  return renderAppointments(
    path,
    <>
      <ReschedulePage />
      {beside}
    </>,
    {
      'GET /appointments/appointment-1': () => ok({ appointment, history: [], alternatives: [] }),
      'GET /doctors/doctor-1/slots': () => ok(slots('2026-12-01', 62, FREE)),
      ...replies,
    },
    ROUTE,
  );
}

const where = () => screen.getByTestId('where').textContent;
const press = async (name: string | RegExp) =>
  userEvent.click(await screen.findByRole('button', { name }));

test('moves a request to the selected time, showing old and new', async () => {
  const server = open(ADDRESS, pending, {
    'PUT /appointments/appointment-1/reschedule': () =>
      ok({ appointment: { ...pending, ...moved } }),
  });
  await press(/^Thu 10 Dec/);
  await press(/^10:00, Thursday 10 December/);
  expect(where()).toBe(CHOSEN);
  expect(document.activeElement?.textContent).toBe('Confirm new time');
  expect(screen.getByText('Tuesday 8 December, 14:00')).toBeTruthy();
  expect(screen.getByText('Thursday 10 December, 10:00')).toBeTruthy();
  expect(screen.queryByLabelText(/^Reason/)).toBeNull();

  await press('Reschedule');
  await waitFor(() => expect(where()).toBe(APPOINTMENT));
  expect(server.changed()).toEqual([['PUT /appointments/appointment-1/reschedule', moved]]);
});

test('returns from the selected time to the picker with Back', async () => {
  open(ADDRESS, pending, {}, <Back />);
  await press(/^Thu 10 Dec/);
  await press(/^10:00, Thursday 10 December/);
  expect(where()).toBe(CHOSEN);
  await press('Back');
  expect(await screen.findByRole('heading', { name: 'Choose another time' })).toBeTruthy();
  expect(where()).toBe(`${ADDRESS}?date=2026-12-10`);
});

test('proposes another time for a confirmed appointment, with a reason', async () => {
  const server = open(CHOSEN, confirmed, {
    'POST /appointments/appointment-1/proposal': () =>
      apiResponse(201, { success: true, message: '', data: { appointment: confirmed } }),
  });
  await userEvent.type(await screen.findByLabelText(/^Reason/), 'My train is late');
  await press('Send suggestion');
  await waitFor(() => expect(where()).toBe(APPOINTMENT));
  expect(server.changed()).toEqual([
    ['POST /appointments/appointment-1/proposal', { ...moved, reason: 'My train is late' }],
  ]);
});

test('moves a confirmed appointment immediately before the doctor’s cutoff', async () => {
  const free = makeAppointment({ rescheduleUntil: '2026-12-07T19:00:00Z' });
  const server = open(CHOSEN, free, {
    'PUT /appointments/appointment-1/reschedule': () => ok({ appointment: { ...free, ...moved } }),
  });
  expect(await screen.findByText(/moves right away and stays confirmed/)).toBeTruthy();
  expect(screen.queryByLabelText(/^Reason/)).toBeNull();
  await press('Reschedule');
  await waitFor(() => expect(where()).toBe(APPOINTMENT));
  expect(server.changed()).toEqual([['PUT /appointments/appointment-1/reschedule', moved]]);
});

test('asks the doctor after the cutoff', async () => {
  open(CHOSEN, makeAppointment({ rescheduleUntil: '2026-12-01T11:59:00Z' }));
  expect(await screen.findByText(/^We’ll ask Dr. Ana Ruiz/)).toBeTruthy();
});

test('shows the nearest times if the time is taken, and keeps the reason', async () => {
  open(CHOSEN, confirmed, {
    'POST /appointments/appointment-1/proposal': () =>
      apiResponse(409, {
        code: 'slot_taken',
        message: 'Taken.',
        data: { alternatives: [freeTime('2026-12-10', '14:00')] },
      }),
  });
  await userEvent.type(await screen.findByLabelText(/^Reason/), 'My train is late');
  await press('Send suggestion');
  await screen.findByText('Sorry, this time was just taken');
  await press(/^Thursday 10 December, 14:00/);
  expect(where()).toBe(`${ADDRESS}?date=2026-12-10&time=14%3A00`);
  expect(screen.queryByText('Sorry, this time was just taken')).toBeNull();
  expect((await screen.findByLabelText<HTMLTextAreaElement>(/^Reason/)).value).toBe(
    'My train is late',
  );
});

test('shows the server’s message on the page', async () => {
  open(CHOSEN, pending, {
    'PUT /appointments/appointment-1/reschedule': () =>
      apiResponse(409, { code: 'illegal_transition', message: 'It has been confirmed meanwhile.' }),
  });
  await press('Reschedule');
  expect(await screen.findByText('It has been confirmed meanwhile.')).toBeTruthy();
});

test('does not move an appointment that is over', async () => {
  open(ADDRESS, makeAppointment({ status: 'completed' }));
  expect(await screen.findByText('This appointment can’t be rescheduled')).toBeTruthy();
});
