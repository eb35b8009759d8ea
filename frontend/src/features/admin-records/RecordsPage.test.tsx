import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { ok, refusal } from '@/testing/answers';
import { aVisit, renderVisits, visitsData } from '@/testing/visits';
import RecordsPage from './RecordsPage';

const CANCEL = /^Cancel the appointment of Amina Yusuf/;

test('an admin cancels with a reason, and not without one', async () => {
  const visit = aVisit();
  const { changed } = renderVisits('/admin/records', <RecordsPage />, {
    'GET /admin/records': () => ok(visitsData(visit)),
    'PUT /admin/appointments/visit-1/cancel': () =>
      ok({
        appointment: {
          ...visit,
          status: 'cancelled',
          cancelledBy: 'admin',
          cancelReason: 'The doctor is ill.',
        },
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
    ['PUT /admin/appointments/visit-1/cancel', { reason: 'The doctor is ill.' }],
  ]);
  // The row shows it, and holds the focus that the button had.
  const row = screen.getByRole('row', { name: /Amina Yusuf/ });
  expect(row.textContent).toContain('The doctor is ill.');
  expect(within(row).queryByRole('button')).toBeNull();
  expect(document.activeElement).toBe(row);
});

test('a refusal keeps the reason and looks how the visit stands', async () => {
  const { asked } = renderVisits('/admin/records', <RecordsPage />, {
    'GET /admin/records': () => ok(visitsData(aVisit())),
    'PUT /admin/appointments/visit-1/cancel': () =>
      refusal(409, 'illegal_transition', 'This appointment has changed.'),
  });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: CANCEL }));
  const dialog = await screen.findByRole('dialog');
  await user.type(within(dialog).getByRole('textbox'), 'Flood');
  await user.click(within(dialog).getByRole('button', { name: 'Cancel appointment' }));
  expect(await within(dialog).findByText('This appointment has changed.')).toBeTruthy();
  expect(within(dialog).getByRole<HTMLTextAreaElement>('textbox').value).toBe('Flood');
  await waitFor(() =>
    expect(asked().filter((each) => each.startsWith('/admin/records'))).toHaveLength(2),
  );
});

test('the address bar narrows the list, and a filter in use takes itself away', async () => {
  const { asked } = renderVisits(
    '/admin/records?status=completed&attended=false&from=2026-11-01&to=nonsense',
    <RecordsPage />,
    { 'GET /admin/records': () => ok(visitsData()) },
  );
  expect(await screen.findByText('No visit matches')).toBeTruthy();
  expect(asked()).toContain(
    '/admin/records?status=completed&attended=false&from=2026-11-01&page=1',
  );
  const chips = within(screen.getByRole('list', { name: 'Filters in use' })).getAllByRole('link');
  expect(chips.map((chip) => [chip.textContent, chip.getAttribute('href')])).toEqual([
    ['Remove filter: Completed', '/admin/records?attended=false&from=2026-11-01'],
    ['Remove filter: Patient did not come', '/admin/records?status=completed&from=2026-11-01'],
    ['Remove filter: From 1 November 2026', '/admin/records?status=completed&attended=false'],
    ['Clear all', '/admin/records'],
  ]);
});
