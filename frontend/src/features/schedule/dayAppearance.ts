import { t } from '@lingui/core/macro';
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
    return { open, tick: offTick(), description: t`time off`, kind: 'off' };
  }
  const override = draft.overrides.find((each) => each.date === date);
  if (override) {
    const hours = hoursText(override.hours);
    return override.hours.length === 0
      ? { open, tick: offTick(), description: t`day off`, kind: 'off' }
      : {
          open,
          tick: t({ message: 'other', context: 'mark on a day of the calendar' }),
          description: t`other hours, ${hours}`,
          kind: 'other',
        };
  }
  const usualHours = draft.weeklyHours[weekdayName(weekdayOf(date))];
  if (usualHours.length === 0) {
    return { open, tick: '', description: t`closed on this weekday`, kind: 'closed' };
  }
  const isPartlyOff = off.length > 0 || draft.blocked.some((each) => each.date === date);
  return isPartlyOff
    ? {
        open,
        tick: t({ message: 'part', context: 'mark on a day of the calendar' }),
        description: t`weekly hours, partly off or blocked`,
        kind: 'usual',
      }
    : { open, tick: '', description: t`weekly hours`, kind: 'usual' };
}

const offTick = () => t({ message: 'off', context: 'mark on a day of the calendar' });
