import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { apiError, ok } from '@/testing/apiResponses';
import { appointmentsData, makeAppointment, renderAppointments } from '@/testing/appointments';
import AppointmentsPage from './AppointmentsPage';

const CANCEL = /^Cancel the appointment of Amina Yusuf/;

test('requires a reason to cancel an appointment', async () => {
  const appointment = makeAppointment();
  const { changed } = renderAppointments('/admin/records', <AppointmentsPage />, {
    'GET /admin/records': () => ok(appointmentsData(appointment)),
    'PUT /admin/appointments/appointment-1/cancel': () =>
      ok({
        appointment: {
          ...appointment,
          status: 'cancelled',
          cancelledBy: 'admin',
          cancelReason: 'The doctor is ill.',
        },
        changed: true,
      }),
  });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: CANCEL }));
  const dialog = await screen.findByRole('dialog', {
    name: 'Are you sure you want to cancel this appointment?',
  });
  const act = within(dialog).getByRole('button', { name: 'Cancel appointment' });
  await user.click(act);
  expect(within(dialog).getAllByText('Please give a reason.').length).toBe(2);
  expect(changed()).toEqual([]);

  await user.type(within(dialog).getByRole('textbox'), 'The doctor is ill.');
  await user.click(act);
  expect(await screen.findByText('Appointment cancelled successfully')).toBeTruthy();
  expect(changed()).toEqual([
    ['PUT /admin/appointments/appointment-1/cancel', { reason: 'The doctor is ill.' }],
  ]);
  // The row shows it, and holds the focus that the button had.
  const row = screen.getByRole('row', { name: /Amina Yusuf/ });
  expect(row.textContent).toContain('The doctor is ill.');
  expect(within(row).queryByRole('button')).toBeNull();
  expect(document.activeElement).toBe(row);
});

test('reports an outdated cancellation with the typed reason and refetches the list', async () => {
  const { asked } = renderAppointments('/admin/records', <AppointmentsPage />, {
    'GET /admin/records': () => ok(appointmentsData(makeAppointment())),
    'PUT /admin/appointments/appointment-1/cancel': () =>
      apiError(409, 'illegal_transition', 'This appointment has changed.'),
  });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: CANCEL }));
  const dialog = await screen.findByRole('dialog');
  await user.type(within(dialog).getByRole('textbox'), 'Flood');
  await user.click(within(dialog).getByRole('button', { name: 'Cancel appointment' }));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('This appointment has changed.');
  expect(within(alert).getByText('Flood')).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
  await waitFor(() =>
    expect(asked().filter((each) => each.startsWith('/admin/records'))).toHaveLength(2),
  );
});

test('filters the list by the URL and removes filters by their chips', async () => {
  const { asked } = renderAppointments(
    '/admin/records?status=completed&attended=false&from=2026-11-01&to=nonsense',
    <AppointmentsPage />,
    { 'GET /admin/records': () => ok(appointmentsData()) },
  );
  expect(await screen.findByText('No matching appointments')).toBeTruthy();
  expect(asked()).toContain(
    '/admin/records?status=completed&attended=false&from=2026-11-01&page=1',
  );
  const chips = within(screen.getByRole('list', { name: 'Active filters' })).getAllByRole('link');
  expect(chips.map((chip) => [chip.textContent, chip.getAttribute('href')])).toEqual([
    ['Remove filter: Completed', '/admin/records?attended=false&from=2026-11-01'],
    ['Remove filter: No-show', '/admin/records?status=completed&from=2026-11-01'],
    ['Remove filter: From 1 November 2026', '/admin/records?status=completed&attended=false'],
    ['Clear all', '/admin/records'],
  ]);
});

test('requests the rows of a figure with the filters it was counted by', async () => {
  const { asked } = renderAppointments(
    '/admin/records?specialization=Neurology&city=Oslo&dates=booked&to=2026-11-28&status=unfinished',
    <AppointmentsPage />,
    { 'GET /admin/records': () => ok(appointmentsData()) },
  );
  await screen.findByText('No matching appointments');
  const wanted = asked().find((each) => each.startsWith('/admin/records?')) ?? '';
  expect(Object.fromEntries(new URLSearchParams(wanted.split('?')[1]))).toEqual({
    status: 'unfinished',
    specialization: 'Neurology',
    city: 'Oslo',
    dates: 'booked',
    to: '2026-11-28',
    page: '1',
  });
  const chips = within(screen.getByRole('list', { name: 'Active filters' })).getAllByRole('link');
  expect(chips.map((chip) => chip.textContent)).toEqual([
    'Remove filter: Past, not completed',
    'Remove filter: Neurology',
    'Remove filter: Oslo',
    'Remove filter: Booked until 28 November 2026',
    'Clear all',
  ]);
});
