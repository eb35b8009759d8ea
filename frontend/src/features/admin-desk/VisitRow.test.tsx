import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { ok } from '@/testing/answers';
import { aVisit, renderVisits } from '@/testing/visits';
import { VisitRow } from './VisitRow';

test('an admin cancels with a reason, and not without one', async () => {
  const visit = aVisit();
  const { changed } = renderVisits(
    '/admin/dashboard',
    <ul>
      <VisitRow visit={visit} />
    </ul>,
    {
      'PUT /admin/appointments/visit-1/cancel': () =>
        ok({ appointment: { ...visit, status: 'cancelled', cancelledBy: 'admin' } }),
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
    ['PUT /admin/appointments/visit-1/cancel', { reason: 'The doctor is ill.' }],
  ]);
});
