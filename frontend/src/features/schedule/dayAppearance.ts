import type { Absence } from '@/api/types';
import type { DayAppearance } from '@/domain/MonthGrid';
import { absenceMinutesOn } from '@/domain/schedule/absence';
import { DAY_MINUTES, hoursText, weekdayName } from '@/domain/schedule/hours';
import { weekdayOf } from '@/lib/dates';
import type { Draft } from './draft';

/** Return how a date of the schedule looks in the month grid. */
export function dayAppearance(
  date: string,
  draft: Draft,
  absences: Absence[],
  today: string,
): DayAppearance {
  const open = date >= today;
  const off = absences.map((each) => absenceMinutesOn(each, date)).filter((each) => each !== null);
  if (off.some(([start, end]) => start === 0 && end === DAY_MINUTES)) {
    return { open, tick: 'off', description: 'time off', kind: 'off' };
  }
  const override = draft.overrides.find((each) => each.date === date);
  if (override) {
    return override.hours.length === 0
      ? { open, tick: 'off', description: 'day off', kind: 'off' }
      : {
          open,
          tick: 'other',
          description: `other hours, ${hoursText(override.hours)}`,
          kind: 'other',
        };
  }
  const usualHours = draft.weeklyHours[weekdayName(weekdayOf(date))];
  if (usualHours.length === 0) {
    return { open, tick: '', description: 'closed on this weekday', kind: 'closed' };
  }
  const isPartlyOff = off.length > 0 || draft.blocked.some((each) => each.date === date);
  return isPartlyOff
    ? { open, tick: 'part', description: 'usual hours, part of them off or blocked', kind: 'usual' }
    : { open, tick: '', description: 'usual hours', kind: 'usual' };
}
