import { expect, it } from 'vitest';
import { addMonths, dayParts, daysInMonth, instantOf, weekdayOf } from './dates';

it.each([
  ['2026-12-08', '14:00', 'America/New_York', '2026-12-08T19:00:00.000Z'],
  ['2026-07-08', '14:00', 'America/New_York', '2026-07-08T18:00:00.000Z'],
  ['2026-12-08', '00:30', 'Asia/Kolkata', '2026-12-07T19:00:00.000Z'],
  ['2026-12-08', '09:00', 'UTC', '2026-12-08T09:00:00.000Z'],
  // The hours around both clock changes; of the doubled hour the first is meant.
  ['2026-03-29', '01:59', 'Europe/Berlin', '2026-03-29T00:59:00.000Z'],
  ['2026-03-29', '03:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
  ['2026-10-25', '02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  ['2026-10-25', '03:00', 'Europe/Berlin', '2026-10-25T02:00:00.000Z'],
])('converts %s %s in %s to an instant', (date, time, zone, instant) => {
  expect(instantOf(date, time, zone)).toBe(instant);
});

it('adds months across years and knows their length', () => {
  expect(addMonths('2026-12', 1)).toBe('2027-01');
  expect(addMonths('2026-01', -1)).toBe('2025-12');
  expect(['2026-02', '2028-02', '2026-12'].map(daysInMonth)).toEqual([28, 29, 31]);
});

it('counts weekdays from Monday and formats a day in two parts', () => {
  expect(weekdayOf('2026-12-07')).toBe(0);
  expect(weekdayOf('2026-12-13')).toBe(6);
  expect(dayParts('2026-12-08')).toEqual({ weekday: 'Tue', day: '8 Dec' });
});
