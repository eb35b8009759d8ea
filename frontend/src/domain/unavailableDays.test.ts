import { describe, expect, it } from 'vitest';
import { addDays } from '@/lib/dates';
import type { Day } from './freeSlots';
import { unavailableDaysText } from './unavailableDays';

/** Days from Monday 7 December 2026 on, each with this many free times. */
function days(...counts: number[]): Day[] {
  const hours = ['09:00', '10:00', '11:00'];
  return counts.map((count, at) => ({
    date: addDays('2026-12-07', at),
    times: hours.slice(0, count),
  }));
}

describe('unavailableDaysText', () => {
  it('returns null if every day has a free time', () => {
    expect(unavailableDaysText(days(1, 1, 1), '2026-12-07')).toBeNull();
  });

  it('names single days by date and today as today', () => {
    expect(unavailableDaysText(days(0, 1, 0, 1), '2026-12-07')).toBe(
      'No openings: today and Wed 9 Dec.',
    );
  });

  it('names weekdays that are always closed', () => {
    const fortnight = days(1, 1, 0, 1, 1, 0, 0, 1, 1, 1, 1, 1, 0, 0);
    expect(unavailableDaysText(fortnight, '2026-12-07')).toBe(
      'No openings: Wed 9 Dec, Saturdays and Sundays.',
    );
  });

  it('counts days instead of listing many dates', () => {
    expect(unavailableDaysText(days(1, 0, 0, 0, 0, 0), '2026-12-07')).toBe(
      'No openings: Tue 8 Dec, Wed 9 Dec, Thu 10 Dec and 2 other days.',
    );
  });
});

describe('unavailableDaysText over two months', () => {
  const monthly = (open: (date: string, at: number) => boolean) =>
    Array.from({ length: 56 }, (_, at) => {
      const date = addDays('2026-12-07', at);
      return { date, times: open(date, at) ? ['09:00'] : [] };
    });

  it('names the open weekdays if most are closed, and counts the exceptions', () => {
    // Wednesdays and Sundays, but only one in eight of them.
    const rare = monthly((_, at) => [2, 6].includes(at % 7) && ![2, 6, 9, 13, 16].includes(at));
    expect(unavailableDaysText(rare, null)).toBe(
      'Openings only on Wednesdays and Sundays, except 5 days.',
    );
    const always = monthly((_, at) => [2, 6].includes(at % 7));
    expect(unavailableDaysText(always, null)).toBe('Openings only on Wednesdays and Sundays.');
  });

  it('counts many single dates in addition to closed weekdays', () => {
    const busy = monthly((_, at) => ![5, 6].includes(at % 7) && at % 3 !== 0);
    expect(unavailableDaysText(busy, null)).toBe(
      'No openings: Saturdays, Sundays and 13 other days.',
    );
  });
});
