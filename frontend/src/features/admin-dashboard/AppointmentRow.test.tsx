import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { ok } from '@/testing/apiResponses';
import { makeAppointment, renderAppointments } from '@/testing/appointments';
import { AppointmentRow } from './AppointmentRow';

test('requires a reason to cancel an appointment', async () => {
  const appointment = makeAppointment();
  const { changed } = renderAppointments(
    '/admin/dashboard',
    <ul>
      <AppointmentRow appointment={appointment} />
    </ul>,
    {
      'PUT /admin/appointments/appointment-1/cancel': () =>
        ok({
          appointment: { ...appointment, status: 'cancelled', cancelledBy: 'admin' },
          changed: true,
        }),
    },
  );
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: /^Cancel the appointment of Amina Yusuf/ }));
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
});

test('tells who already cancelled the appointment and keeps the typed reason', async () => {
  const appointment = makeAppointment();
  renderAppointments(
    '/admin/dashboard',
    <ul>
      <AppointmentRow appointment={appointment} />
    </ul>,
    {
      'PUT /admin/appointments/appointment-1/cancel': () =>
        ok({
          appointment: { ...appointment, status: 'cancelled', cancelledBy: 'patient' },
          changed: false,
        }),
    },
  );
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: /^Cancel the appointment of Amina Yusuf/ }));
  const dialog = await screen.findByRole('dialog');
  await user.type(within(dialog).getByRole('textbox'), 'The doctor is ill.');
  await user.click(within(dialog).getByRole('button', { name: 'Cancel appointment' }));
  expect(
    await screen.findByText('Amina Yusuf has already cancelled this appointment.'),
  ).toBeTruthy();
  expect(screen.getByText('The doctor is ill.', { selector: 'q' })).toBeTruthy();
  expect(screen.queryByText('Appointment cancelled successfully')).toBeNull();
});
