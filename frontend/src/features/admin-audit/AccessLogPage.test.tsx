import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { ReadingDay } from '@/api/types';
import { addDays, today } from '@/lib/dates';
import { ok } from '@/testing/apiResponses';
import { renderAppointments } from '@/testing/appointments';
import AccessLogPage from './AccessLogPage';

const ACTOR = '01920000-0000-7000-8000-0000000000d1';
const DAY: ReadingDay = {
  date: '2026-11-28',
  actorId: ACTOR,
  actorName: 'Tova Lindqvist',
  actorRole: 'doctor',
  people: 1,
  views: 3,
  lastAt: '2026-11-28T09:15:00Z',
};
const pagination = { page: 1, pageSize: 20, hasNext: false, count: 2, countIsExact: true };

function renderReadings(path: string, ...days: ReadingDay[]) {
  return renderAppointments(path, <AccessLogPage />, {
    'GET /admin/readings': () => ok({ days, pagination: { ...pagination, count: days.length } }),
  });
}

const chips = () =>
  within(screen.getByRole('list', { name: 'Active filters' }))
    .getAllByRole('link')
    .map((chip) => [chip.textContent, chip.getAttribute('href')]);

test('requests the last thirty days and shows them in the filter', async () => {
  const first = addDays(today('UTC'), -29);
  const { asked } = renderReadings('/admin/audit/readings');
  expect(
    await screen.findByText('Nobody has viewed personal data in the last 30 days'),
  ).toBeTruthy();
  expect(asked()).toContain(`/admin/readings?from=${first}&page=1`);
  expect(screen.getByLabelText<HTMLInputElement>('From').value).toBe(first);
  expect(screen.getByLabelText<HTMLInputElement>('To').value).toBe('');
  expect(screen.queryByRole('list', { name: 'Active filters' })).toBeNull();
});

test('shows who viewed data of how many people, and links to the filtered list', async () => {
  const gone = {
    ...DAY,
    actorId: `${ACTOR.slice(0, -1)}2`,
    actorName: null,
    people: 1200,
    views: 1,
  };
  renderReadings('/admin/audit/readings?to=2026-11-28', DAY, gone);
  const row = await screen.findByRole('row', { name: /Tova Lindqvist/ });
  expect(
    within(row)
      .getAllByRole('cell')
      .map((cell) => cell.textContent),
  ).toEqual([
    '28 November 2026',
    'Tova LindqvistDoctor',
    '1 person',
    '3 views',
    'Latest at 09:15 UTC',
  ]);
  expect(within(row).getByRole('link').getAttribute('href')).toBe(
    `/admin/audit/readings?actor=${ACTOR}&to=2026-11-28`,
  );
  const other = screen.getByRole('row', { name: /000000d2/ });
  expect(within(other).getByRole('cell', { name: '1,200 people' })).toBeTruthy();
  expect(within(other).getByRole('cell', { name: '1 view' })).toBeTruthy();
});

test('requests the thirty days before a given last day, which its chip removes', async () => {
  const { asked } = renderReadings(`/admin/audit/readings?actor=${ACTOR}&to=2026-06-30`, DAY);
  await screen.findByRole('row', { name: /Tova Lindqvist/ });
  expect(asked()).toContain(`/admin/readings?actor=${ACTOR}&from=2026-06-01&to=2026-06-30&page=1`);
  expect(chips()).toEqual([
    ['Remove filter: Viewed by Tova Lindqvist', '/admin/audit/readings?to=2026-06-30'],
    ['Remove filter: To 30 June 2026', `/admin/audit/readings?actor=${ACTOR}`],
    ['Clear all', '/admin/audit/readings'],
  ]);
});

test('filters by the typed text and shows an empty state', async () => {
  const { asked } = renderReadings('/admin/audit/readings?from=2026-11-01&to=nonsense');
  expect(await screen.findByText('No matching days')).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Data of'), 'Orla');
  await waitFor(() =>
    expect(asked()).toContain('/admin/readings?person=Orla&from=2026-11-01&page=1'),
  );
  expect(chips()[0]).toEqual([
    'Remove filter: Data of Orla',
    '/admin/audit/readings?from=2026-11-01',
  ]);
});
