import { plural, t } from '@lingui/core/macro';
import type { Schedule } from '@/api/types';
import { formatTime, weekdayOf } from '@/lib/dates';
import { absenceMinutesOn, absenceText } from './absence';
import { durationText } from './duration';
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

/** Explain to the doctor why a time can't be booked and what to change. */
export function unavailableReason(
  reason: string,
  { date, time: requestedTime }: RequestedTime,
  schedule: Schedule,
): string {
  const override = schedule.overrides.find((each) => each.date === date);
  switch (reason) {
    case 'past':
      return t`That time has passed.`;
    case 'too_soon': {
      const notice = durationText(schedule.minNoticeMinutes);
      return schedule.instantConfirmation || schedule.minNoticeMinutes >= 60
        ? t`It’s too soon. Your minimum notice is ${notice}.`
        : t`It’s too soon. Without automatic confirmation, patients can only request times at least 60 minutes ahead.`;
    }
    case 'too_far':
      return plural(schedule.maxDaysAhead, {
        one: 'It’s too far ahead. Patients can book up to # day ahead.',
        other: 'It’s too far ahead. Patients can book up to # days ahead.',
      });
    case 'day_off': {
      const off = schedule.absences.find((each) => absenceMinutesOn(each, date));
      if (off) return timeOffText(off);
      if (override) {
        const { reason: why } = override;
        return why ? t`You’re off on this date (${why}).` : t`You’re off on this date.`;
      }
      const some = hoursForDate(date, schedule).length > 0;
      return some ? t`All hours on this date are blocked.` : t`You have no hours on this weekday.`;
    }
    case 'outside_hours': {
      const minute = parseMinute(requestedTime) ?? 0;
      const until = minute + schedule.visitMinutes;
      const blocked = schedule.blocked.find(
        (each) =>
          each.date === date &&
          (parseMinute(each.start) ?? 0) < until &&
          minute < (parseMinute(each.end) ?? 0),
      );
      const off = schedule.absences.find((each) => {
        const [offStart, offEnd] = absenceMinutesOn(each, date) ?? [0, 0];
        return offStart < until && minute < offEnd;
      });
      if (off) return timeOffText(off);
      if (blocked) {
        const { reason: why } = blocked;
        const [start, end] = [formatTime(blocked.start), formatTime(blocked.end)];
        return why ? t`${start} to ${end} is blocked (${why}).` : t`${start} to ${end} is blocked.`;
      }
      const hours = hoursText(hoursForDate(date, schedule));
      return plural(schedule.visitMinutes, {
        one: `An appointment of # minute wouldn’t fit your hours, ${hours}.`,
        other: `An appointment of # minutes wouldn’t fit your hours, ${hours}.`,
      });
    }
    case 'off_grid': {
      const starts = appointmentStarts(
        hoursForDate(date, schedule),
        schedule.visitMinutes,
        schedule.bufferMinutes,
      );
      const time = formatTime(requestedTime);
      const earlier = starts.filter((each) => each < requestedTime).at(-1);
      const later = starts.find((each) => each > requestedTime);
      const [before, after] = [earlier && formatTime(earlier), later && formatTime(later)];
      if (before && after)
        return t`No appointment starts at ${time}. The nearest start times are ${before} and ${after}.`;
      const nearest = before ?? after;
      return nearest
        ? t`No appointment starts at ${time}. The nearest start time is ${nearest}.`
        : t`No appointment starts at ${time}.`;
    }
    case 'taken':
      return t`Another appointment, or the buffer after one, is in the way.`;
    case 'held':
      return t`It’s on hold. Someone is booking it, or it was suggested for an appointment and nobody has replied yet.`;
    case 'not_accepting':
      return t`Patients can’t book you until your profile is approved.`;
    default:
      return t`This time isn’t open.`;
  }
}

function timeOffText(absence: Schedule['absences'][number]): string {
  const period = absenceText(absence);
  const { reason } = absence;
  return reason ? t`You’re off ${period} (${reason}).` : t`You’re off ${period}.`;
}
