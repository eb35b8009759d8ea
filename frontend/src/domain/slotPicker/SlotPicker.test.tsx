import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { setFormatLocale } from '@/lib/locale';
import { apiResponse, ok, stubApi } from '@/testing/apiResponses';
import { publicDoctor, slots } from '@/testing/doctors';
import { renderAt } from '@/testing/render';
import type { Slot } from '../freeSlots';
import { SlotPicker } from './SlotPicker';

const FREE = {
  '2026-12-07': ['09:00', '14:00'],
  '2026-12-08': ['10:00'],
  '2026-12-10': ['11:00', '15:00', '16:00'],
};

beforeEach(() => vi.useFakeTimers({ now: new Date('2026-12-07T06:00:00Z'), toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

function Host({ onChoose = () => {} }: { onChoose?: (slot: Slot) => void }) {
  const [day, setDay] = useState<string | null>(null);
  return (
    <SlotPicker
      doctor={publicDoctor}
      day={day}
      onDay={setDay}
      onChoose={onChoose}
      emptyState={<p>Nothing at all</p>}
    />
  );
}

function stage(free: Record<string, string[]> = FREE) {
  return stubApi({ 'GET /doctors/d1/slots': () => ok(slots('2026-12-07', 62, free)) });
}

const day = (name: string) => screen.getByRole('button', { name });

it('offers days with free times and summarizes the others in one line', async () => {
  stage();
  renderAt('/', <Host />);
  const list = await screen.findByRole('list', { name: 'Days with openings' });
  const names = [...list.querySelectorAll('button')].map((each) => each.textContent);
  expect(names).toEqual(['Today 7 Dec 2 open', 'Tue 8 Dec 1 open', 'Thu 10 Dec 3 open']);
  expect(screen.getByText('No openings: Wed 9 Dec.')).toBeTruthy();
});

it('shows the times of the first free day in two groups, labeled with date and doctor', async () => {
  stage();
  renderAt('/', <Host />);
  await screen.findByRole('heading', { name: 'Monday 7 December' });
  expect(screen.getByRole('heading', { name: 'Morning' })).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Afternoon' })).toBeTruthy();
  expect(day('09:00, Monday 7 December, Dr. Ana Ruiz')).toBeTruthy();
  expect(day('14:00, Monday 7 December, Dr. Ana Ruiz')).toBeTruthy();
});

it('shows times of the 12-hour clock in the US', async () => {
  setFormatLocale('en-US');
  stage();
  renderAt('/', <Host />);
  const time = await screen.findByRole('button', {
    name: /^2:00\sPM, Monday, December 7, Dr. Ana Ruiz$/,
  });
  expect(time.textContent?.trim()).toMatch(/^2:00\sPM$/);
});

it('moves from the day to its times and back by keyboard', async () => {
  const onChoose = vi.fn();
  stage();
  renderAt('/', <Host onChoose={onChoose} />);
  await screen.findByRole('heading', { name: 'Monday 7 December' });
  day('Thu 10 Dec 3 open').focus();
  await userEvent.keyboard('{Enter}');
  const heading = screen.getByRole('heading', { name: 'Thursday 10 December' });
  expect(document.activeElement).toBe(heading);
  // Not moved on opening: only a choice moves focus.
  expect(day('Thu 10 Dec 3 open').getAttribute('aria-pressed')).toBe('true');

  await userEvent.tab();
  expect(document.activeElement).toBe(day('Change day'));
  await userEvent.keyboard('{Enter}');
  expect(document.activeElement).toBe(day('Thu 10 Dec 3 open'));

  await userEvent.keyboard('{Enter}');
  await userEvent.keyboard('{Escape}');
  expect(document.activeElement).toBe(day('Thu 10 Dec 3 open'));

  await userEvent.keyboard('{Enter}');
  await userEvent.tab();
  await userEvent.tab();
  await userEvent.keyboard('{Enter}');
  expect(onChoose).toHaveBeenCalledExactlyOnceWith({ date: '2026-12-10', time: '11:00' });
});

it('opens the month grid with "Choose another date"', async () => {
  stage();
  renderAt('/', <Host />);
  await userEvent.click(await screen.findByText('Choose another date'));
  expect(await screen.findByRole('grid', { name: 'December 2026' })).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText('Monday 7 December, 2 openings'));
  await userEvent.keyboard('{ArrowRight}{Enter}');
  expect(document.activeElement?.textContent).toBe('Tuesday 8 December');
  expect(screen.getByLabelText('10:00, Tuesday 8 December, Dr. Ana Ruiz')).toBeTruthy();
});

it('loads later months', async () => {
  const spy = stage();
  renderAt('/', <Host />);
  const next = 'Next month';
  await userEvent.click(await screen.findByText('Choose another date'));
  await screen.findByRole('grid');
  spy.mockImplementation(async (input) => {
    const [, from = ''] = /from=([\d-]+)/.exec(String(input)) ?? [];
    return ok(slots(from, 31, { '2027-03-09': ['09:00'] }));
  });
  spy.mockClear();
  for (let turn = 0; turn < 3; turn += 1) fireEvent.click(screen.getByLabelText(next));
  // December and January were known.
  expect(spy.mock.calls.map(([input]) => String(input))).toEqual([
    '/api/doctors/d1/slots?from=2027-02-01&days=28',
    '/api/doctors/d1/slots?from=2027-03-01&days=31',
  ]);
  fireEvent.click(await screen.findByLabelText('Tuesday 9 March 2027, 1 opening'));
  expect(await screen.findByLabelText(/^09:00, Tuesday 9 March 2027/)).toBeTruthy();
});

it('offers the next free day on a day without free times', async () => {
  stage();
  renderAt(
    '/',
    <SlotPicker doctor={publicDoctor} day="2026-12-09" onDay={() => {}} emptyState={null} />,
  );
  expect(await screen.findByText('No openings on this day.')).toBeTruthy();
  expect(day('Show Thursday 10 December')).toBeTruthy();
});

it('finds the next free day beyond the loaded months', async () => {
  const spy = stage();
  const onDay = vi.fn();
  spy.mockImplementation(async (input) => {
    const [, from = '2026-12-07'] = /from=([\d-]+)/.exec(String(input)) ?? [];
    return ok({ ...slots(from, 62, { ...FREE, '2027-05-18': ['09:00'] }), lastDay: '2027-06-05' });
  });
  renderAt(
    '/',
    <SlotPicker doctor={publicDoctor} day="2027-02-22" onDay={onDay} emptyState={null} />,
  );
  await screen.findByText('No openings on this day.');
  await userEvent.click(screen.getByRole('button', { name: 'Show the next opening' }));
  await waitFor(() => expect(onDay).toHaveBeenCalledWith('2027-05-18'));
});

it('tells when a day too far ahead can be booked', async () => {
  stage();
  renderAt(
    '/',
    <SlotPicker doctor={publicDoctor} day="2027-06-10" onDay={() => {}} emptyState={null} />,
  );
  expect(await screen.findByText(/You can book this day from Saturday 12 December/)).toBeTruthy();
});

it('stops at the last bookable month and skips empty months', async () => {
  const spy = stage();
  spy.mockImplementation(async (input) => {
    const [, from = '2026-12-07'] = /from=([\d-]+)/.exec(String(input)) ?? [];
    return ok({ ...slots(from, 62, { ...FREE, '2027-05-18': ['09:00'] }), lastDay: '2027-05-20' });
  });
  renderAt('/', <Host />);
  await userEvent.click(await screen.findByText('Choose another date'));
  await screen.findByRole('grid', { name: 'December 2026' });
  fireEvent.click(screen.getByLabelText('Next month'));
  await screen.findByText('No openings in January 2027.');
  await userEvent.click(screen.getByRole('button', { name: 'Show the next opening' }));
  await screen.findByRole('grid', { name: 'May 2027' });
  expect(screen.getByLabelText('Next month').getAttribute('aria-disabled')).toBe('true');
  expect(screen.getByText(/You can book through Thursday 20 May 2027/)).toBeTruthy();
});

it('opens the month of the selected day', async () => {
  vi.setSystemTime(new Date('2026-12-31T06:00:00Z'));
  const free = { '2026-12-31': ['09:00'], '2027-01-04': ['09:00'], '2027-01-05': ['09:00'] };
  stubApi({ 'GET /doctors/d1/slots': () => ok(slots('2026-12-31', 62, free)) });
  renderAt('/', <Host />);
  await userEvent.click(await screen.findByText('Choose another date'));
  await screen.findByRole('grid', { name: 'January 2027' });
});

it('starts at the next free time if the first two months are full', async () => {
  const full = { ...slots('2026-12-07', 62, {}), nextFree: { date: '2027-03-09', time: '09:00' } };
  const later = slots('2027-03-09', 62, { '2027-03-09': ['09:00'] });
  const spy = stage();
  spy.mockImplementation(async (input) => ok(String(input).includes('from=') ? later : full));
  renderAt('/', <Host />);
  expect(await screen.findByRole('button', { name: /^09:00, Tuesday 9 March 2027/ })).toBeTruthy();
});

it('shows the empty state if nothing is free, and offers a retry after an error', async () => {
  stage({});
  const { unmount } = renderAt('/', <Host />);
  expect(await screen.findByText('Nothing at all')).toBeTruthy();
  unmount();

  const spy = stage();
  spy.mockImplementation(async () => apiResponse(400, { success: false, message: '' }));
  renderAt('/', <Host />);
  const retry = await screen.findByRole('button', { name: 'Try again' });
  spy.mockImplementation(async () => ok(slots('2026-12-07', 62, FREE)));
  await userEvent.click(retry);
  expect(await screen.findByRole('heading', { name: 'Monday 7 December' })).toBeTruthy();
});
