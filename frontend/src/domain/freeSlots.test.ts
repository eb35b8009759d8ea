import { expect, it, vi } from 'vitest';
import { addDays } from '@/lib/dates';
import { type Day, freeDays, freeSlotCount, includesDate, isFree, nearDayLabel } from './freeSlots';

/** Days from Monday 7 December 2026 on, each with this many free times. */
function days(...counts: number[]): Day[] {
  const hours = ['09:00', '10:00', '11:00'];
  return counts.map((count, at) => ({
    date: addDays('2026-12-07', at),
    times: hours.slice(0, count),
  }));
}

it('returns the first days with free times', () => {
  expect(freeDays(days(0, 2, 0, 1, 3), 2).map((day) => day.date)).toEqual([
    '2026-12-08',
    '2026-12-10',
  ]);
});

it('tells which dates are included and which times are free', () => {
  const some = days(1, 0);
  expect(includesDate(some, '2026-12-08')).toBe(true);
  expect(includesDate(some, '2026-12-09')).toBe(false);
  expect(includesDate([], '2026-12-09')).toBe(false);
  expect(isFree(some, { date: '2026-12-07', time: '09:00' })).toBe(true);
  expect(isFree(some, { date: '2026-12-08', time: '09:00' })).toBe(false);
  expect(isFree(some, { date: '2027-01-01', time: '09:00' })).toBeNull();
});

it('formats the number of openings', () => {
  expect([0, 1, 5].map(freeSlotCount)).toEqual(['no openings', '1 opening', '5 openings']);
});

it('says today only if it is the same date for clinic and user', () => {
  vi.useFakeTimers({ now: new Date('2026-12-07T23:00:00Z') });
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({
    timeZone: 'UTC',
  } as Intl.ResolvedDateTimeFormatOptions);
  try {
    expect(nearDayLabel('2026-12-07', 'UTC')).toBe('Today');
    expect(nearDayLabel('2026-12-08', 'UTC')).toBe('Tomorrow');
    expect(nearDayLabel('2026-12-08', 'Asia/Kolkata')).toBe('Tue 8 Dec');
    expect(nearDayLabel('2026-12-08', 'America/New_York')).toBe('Tomorrow');
  } finally {
    vi.useRealTimers();
  }
});
