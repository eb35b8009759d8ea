import type { Absence } from '@/api/types';
import type { DayLook } from '@/domain/MonthGrid';
import { absentMinutes } from '@/domain/schedule/absence';
import { DAY_MINUTES, hoursText, weekdayName } from '@/domain/schedule/hours';
import { weekdayOf } from '@/lib/dates';
import type { Draft } from './draft';

/** Return how a date of the schedule looks in the month grid. */
export function dayLook(date: string, draft: Draft, absences: Absence[], today: string): DayLook {
  const open = date >= today;
  const off = absences.map((each) => absentMinutes(each, date)).filter((each) => each !== null);
  if (off.some(([start, end]) => start === 0 && end === DAY_MINUTES)) {
    return { open, tick: 'off', says: 'time off', kind: 'off' };
  }
  const override = draft.overrides.find((each) => each.date === date);
  if (override) {
    return override.hours.length === 0
      ? { open, tick: 'off', says: 'day off', kind: 'off' }
      : { open, tick: 'other', says: `other hours, ${hoursText(override.hours)}`, kind: 'other' };
  }
  const usualHours = draft.weeklyHours[weekdayName(weekdayOf(date))];
  if (usualHours.length === 0) {
    return { open, tick: '', says: 'closed on this weekday', kind: 'closed' };
  }
  const isPartlyOff = off.length > 0 || draft.blocked.some((each) => each.date === date);
  return isPartlyOff
    ? { open, tick: 'part', says: 'usual hours, part of them off or blocked', kind: 'usual' }
    : { open, tick: '', says: 'usual hours', kind: 'usual' };
}
