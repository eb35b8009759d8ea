import { t } from '@lingui/core/macro';
import type { Absence } from '@/api/types';
import { formatDay, formatDayTime, formatTime, isDate } from '@/lib/dates';
import { invalidEndText, invalidStartText, normalizeTime, parseMinute } from './hours';

interface Values {
  wholeDays: boolean;
  fromDate: string;
  fromTime: string;
  toDate: string;
  toTime: string;
}

type AbsenceBounds = Pick<Absence, 'from' | 'to'>;

/** Return the start and end for the server; whole days end at midnight. */
export function absenceBounds({
  wholeDays,
  fromDate,
  fromTime,
  toDate,
  toTime,
}: Values): AbsenceBounds {
  return {
    from: { date: fromDate, time: wholeDays ? '00:00' : normalizeTime(fromTime) },
    to: { date: toDate, time: wholeDays ? '24:00' : normalizeTime(toTime) },
  };
}

/** Validate the form; return errors by field. */
export function checkAbsence(values: Values): Record<string, string> {
  const { from, to } = absenceBounds(values);
  const [start, end] = [parseMinute(from.time), parseMinute(to.time)];
  const errors: Record<string, string> = {};
  if (!isDate(from.date)) errors.fromDate = t`Enter the first day off.`;
  if (start === null || from.time === '24:00') errors.fromTime = invalidStartText();
  if (!isDate(to.date)) errors.toDate = t`Enter the last day off.`;
  else if (isDate(from.date) && to.date < from.date) {
    errors.toDate = t`The last day off is before the first.`;
  }
  if (end === null) errors.toTime = invalidEndText();
  else if (isDate(from.date) && from.date === to.date && start !== null && end <= start) {
    errors.toTime = t`The end must be after the start.`;
  }
  return errors;
}

/**
 * Format an absence: "Tuesday 8 December", "Tuesday 8 December to Thursday 10 December", "Tuesday 8
 * December, 12:00 to …".
 */
export function absenceText({ from, to }: AbsenceBounds): string {
  if (!isDate(from.date) || !isDate(to.date)) return '';
  const isWhole = from.time === '00:00' && to.time === '24:00';
  const isOneDay = from.date === to.date;
  if (isWhole && isOneDay) return formatDay(from.date);
  const start = isWhole ? formatDay(from.date) : formatDayTime(from.date, from.time);
  const end = isWhole
    ? formatDay(to.date)
    : isOneDay
      ? formatTime(to.time)
      : formatDayTime(to.date, to.time);
  return t`${start} to ${end}`;
}

/** Return the minutes of a date that an absence covers; null if none. */
export function absenceMinutesOn(
  { from, to }: AbsenceBounds,
  date: string,
): [number, number] | null {
  if (date < from.date || date > to.date) return null;
  const start = date === from.date ? (parseMinute(from.time) ?? 0) : 0;
  const end = date === to.date ? (parseMinute(to.time) ?? 0) : 24 * 60;
  return start < end ? [start, end] : null;
}
