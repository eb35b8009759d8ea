import type { Schedule } from '@/api/types';
import { weekdayOf } from '@/lib/dates';
import { absenceMinutesOn, absenceText } from './absence';
import { appointmentStarts, hoursText, parseMinute, weekdayName } from './hours';

interface RequestedTime {
  date: string;
  time: string;
}

/** The hours of a date under a schedule. */
function hoursForDate(date: string, { overrides, weeklyHours }: Schedule) {
  return (
    overrides.find((each) => each.date === date)?.hours ?? weeklyHours[weekdayName(weekdayOf(date))]
  );
}

function noticeText(minutes: number): string {
  if (minutes >= 1440 && minutes % 1440 === 0) return plural(minutes / 1440, 'day');
  if (minutes >= 60 && minutes % 60 === 0) return plural(minutes / 60, 'hour');
  return plural(minutes, 'minute');
}

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;

/** Explain to the doctor why a time can't be booked and what to change. */
export function unavailableReason(
  reason: string,
  { date, time }: RequestedTime,
  schedule: Schedule,
): string {
  const override = schedule.overrides.find((each) => each.date === date);
  switch (reason) {
    case 'past':
      return 'that time has passed.';
    case 'too_soon':
      return schedule.instantConfirmation || schedule.minNoticeMinutes >= 60
        ? `too soon. You ask for ${noticeText(schedule.minNoticeMinutes)} of notice.`
        : 'too soon. Without automatic confirmation patients can only request times at least 60 minutes ahead.';
    case 'too_far':
      return `too far ahead. Patients book at most ${plural(schedule.maxDaysAhead, 'day')} ahead.`;
    case 'day_off': {
      const off = schedule.absences.find((each) => absenceMinutesOn(each, date));
      if (off) return `you are off${off.reason && ` (${off.reason})`}: ${absenceText(off)}.`;
      if (override) return `you are off on this date${override.reason && ` (${override.reason})`}.`;
      const some = hoursForDate(date, schedule).length > 0;
      return some ? 'all hours of this date are blocked.' : 'you have no hours on this weekday.';
    }
    case 'outside_hours': {
      const minute = parseMinute(time) ?? 0;
      const end = minute + schedule.visitMinutes;
      const met = schedule.blocked.find(
        (each) =>
          each.date === date &&
          (parseMinute(each.start) ?? 0) < end &&
          minute < (parseMinute(each.end) ?? 0),
      );
      const off = schedule.absences.find((each) => {
        const [start, until] = absenceMinutesOn(each, date) ?? [0, 0];
        return start < end && minute < until;
      });
      if (off) return `you are off${off.reason && ` (${off.reason})`}: ${absenceText(off)}.`;
      if (met) return `${met.start} to ${met.end} is blocked${met.reason && ` (${met.reason})`}.`;
      return `an appointment of ${plural(schedule.visitMinutes, 'minute')} would leave your hours, ${hoursText(hoursForDate(date, schedule))}.`;
    }
    case 'off_grid': {
      const starts = appointmentStarts(
        hoursForDate(date, schedule),
        schedule.visitMinutes,
        schedule.bufferMinutes,
      );
      const near = [
        starts.filter((each) => each < time).at(-1),
        starts.find((each) => each > time),
      ];
      const named = near.filter(Boolean).join(' and ');
      return `no appointment starts at ${time}.${named && ` The nearest starts are ${named}.`}`;
    }
    case 'taken':
      return 'another appointment, or the buffer after one, is in the way.';
    case 'held':
      return 'kept for a moment: someone is booking it, or it was proposed and waits for an answer.';
    case 'not_accepting':
      return 'patients cannot book you at all while your profile is not approved.';
    default:
      return 'not free.';
  }
}
