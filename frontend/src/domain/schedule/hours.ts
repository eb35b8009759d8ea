import { t } from '@lingui/core/macro';
import type { Interval, Week, Weekday } from '@/api/types';
import { addDays, dayParts, formatTime, formatWeekday } from '@/lib/dates';
import { formatList } from '@/lib/formatList';
import { WEEKDAYS } from '@/lib/options';
import { orderedWeekdays } from '@/lib/weekStart';

/** The hours of a day as intervals, and painting a week. */

export const DAY_MINUTES = 24 * 60;
/** The length of one cell of the week grid. */
export const CELL_MINUTES = 30;

const TIME = /^(?:([01]\d|2[0-3]):([0-5]\d)|24:00)$/;

/** Parse "09:30" to 570 and "24:00" to 1440; null if invalid. */
export function parseMinute(time: string): number | null {
  const match = TIME.exec(time);
  if (!match) return null;
  return match[1] === undefined ? DAY_MINUTES : Number(match[1]) * 60 + Number(match[2]);
}

/** Format 570 as "09:30"; minutes of the next day as its own time. */
export function formatMinute(minuteOfDay: number): string {
  const minute = minuteOfDay > DAY_MINUTES ? minuteOfDay - DAY_MINUTES : minuteOfDay;
  const two = (number: number) => String(number).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

/** Format a minute of the day for readers: 570 as "9:30 AM" or "09:30". */
export function minuteText(minuteOfDay: number): string {
  return formatTime(formatMinute(minuteOfDay));
}

/** Normalize a typed time: "9", "930", "9.30", "9:30" and "9:30 AM" become "HH:MM". */
export function normalizeTime(text: string): string {
  const match = /^(\d{1,2})(?:[:.h ]?(\d{2}))?\s?(?:([ap])\.?m\.?)?$/i.exec(text.trim());
  if (!match) return text;
  const [, digits, minute = '00', period] = match;
  let hour = Number(digits);
  if (period) {
    if (hour < 1 || hour > 12) return text;
    hour = (hour % 12) + (period.toLowerCase() === 'p' ? 12 : 0);
  }
  const normalized = `${String(hour).padStart(2, '0')}:${minute}`;
  return parseMinute(normalized) !== null ? normalized : text;
}

/**
 * Minutes of the day on which an interval begins, half-open; past midnight the end is above 1440.
 */
type Span = [start: number, end: number];

/** An end that is not after the start is on the next day. */
function toSpan({ start, end }: Interval): Span | null {
  const [from, to] = [parseMinute(start), parseMinute(end)];
  if (from === null || to === null || from >= DAY_MINUTES) return null;
  return [from, to > from ? to : to + DAY_MINUTES];
}

/** Return the valid intervals in order; one may be invalid while it is typed. */
export function toSpans(hours: readonly Interval[]): Span[] {
  return hours
    .map(toSpan)
    .filter((span) => span !== null)
    .sort((a, b) => a[0] - b[0]);
}

const toInterval = ([start, end]: Span): Interval => ({
  start: formatMinute(start),
  end: formatMinute(end),
});

/** Return whether a minute lies within the hours. */
export function isOpen(hours: readonly Interval[], minute: number): boolean {
  return toSpans(hours).some(([start, end]) => start <= minute && minute < end);
}

/**
 * Add a span to the hours of a day or remove it. Only overlapping intervals change: two adjacent
 * ones stay two, since slots are counted from the start of each interval.
 */
export function paintDay(hours: readonly Interval[], [from, to]: Span, open: boolean): Interval[] {
  const unfinished = hours.filter((each) => toSpan(each) === null);
  const spans = toSpans(hours);
  let painted: Span[];
  if (open) {
    const overlapping = spans.filter(([start, end]) => start <= to && from <= end);
    const merged: Span = [
      Math.min(from, ...overlapping.map(([start]) => start)),
      Math.max(to, ...overlapping.map(([, end]) => end)),
    ];
    painted = [...spans.filter((span) => !overlapping.includes(span)), merged];
  } else {
    painted = spans.flatMap(([start, end]): Span[] => {
      if (end <= from || to <= start) return [[start, end]];
      const rest: Span[] = [
        [start, Math.min(end, from)],
        [Math.max(start, to), end],
      ];
      return rest.filter(([left, right]) => left < right && left < DAY_MINUTES);
    });
  }
  return [...painted.sort((a, b) => a[0] - b[0]).map(toInterval), ...unfinished];
}

/** A cell of the week grid: the column of its day and the minute at which it starts. */
export interface Cell {
  column: number;
  minute: number;
}

/** Paint the rectangle between two cells, both included. */
export function paintWeek(week: Week, from: Cell, to: Cell, open: boolean): Week {
  const [first, last] = [Math.min(from.column, to.column), Math.max(from.column, to.column)];
  const span: Span = [
    Math.min(from.minute, to.minute),
    Math.max(from.minute, to.minute) + CELL_MINUTES,
  ];
  return Object.fromEntries(
    orderedWeekdays().map((name, column) => [
      name,
      first <= column && column <= last ? paintDay(week[name], span, open) : week[name],
    ]),
  ) as Week;
}

/**
 * Return the slot starts: from the start of each interval, in steps of an appointment plus the
 * buffer.
 */
export function appointmentStarts(
  hours: readonly Interval[],
  appointment: number,
  buffer: number,
): string[] {
  if (!(appointment > 0) || !(buffer >= 0)) return [];
  return toSpans(hours).flatMap(([start, end]) => {
    const starts = [];
    for (let minute = start; minute + appointment <= end; minute += appointment + buffer) {
      starts.push(formatMinute(minute % DAY_MINUTES));
    }
    return starts;
  });
}

/** Format intervals: "09:00 to 13:00 and 20:00 to 03:00 the next day". */
export function hoursText(hours: readonly Interval[]): string {
  return formatList(
    toSpans(hours).map(([from, to]) => {
      const start = minuteText(from);
      const end = minuteText(to);
      return to > DAY_MINUTES ? t`${start} to ${end} the next day` : t`${start} to ${end}`;
    }),
  );
}

/** Valid times, for messages about invalid ones. */
const EXAMPLE = { start: '09:00', end: '17:00' };

export function invalidStartText(): string {
  const { start } = EXAMPLE;
  return t`Enter a start time, like ${start}.`;
}

export function invalidEndText(): string {
  const { end } = EXAMPLE;
  return t`Enter an end time, like ${end}.`;
}

/** Validate the hours of one day, with the server's field names. */
export function checkHours(
  hours: readonly Interval[],
  name: string,
  { onOneDay = false } = {},
): Record<string, string> {
  const errors: Record<string, string> = {};
  hours.forEach(({ start, end }, at) => {
    const [from, to] = [parseMinute(start), parseMinute(end)];
    if (from === null || from >= DAY_MINUTES) {
      errors[`${name}.${at}.start`] = invalidStartText();
    }
    if (to === null) errors[`${name}.${at}.end`] = invalidEndText();
    if (onOneDay && from !== null && to !== null && to <= from) {
      errors[`${name}.${at}.end`] = t`The end must be after the start.`;
    }
  });
  const spans = toSpans(hours);
  if (spans.some(([start], at) => at > 0 && start < (spans[at - 1]?.[1] ?? 0))) {
    errors[name] = t`These hours overlap.`;
  }
  return errors;
}

/** Suggest another interval for a day: after the last one if possible, else nine to five. */
export function nextInterval(hours: readonly Interval[]): Interval {
  const last = toSpans(hours).at(-1);
  if (!last) return EXAMPLE;
  const start = Math.min(last[1] + 60, DAY_MINUTES - 60);
  return start < last[1]
    ? { start: '', end: '' }
    : toInterval([start, Math.min(start + 4 * 60, DAY_MINUTES)]);
}

/** Return the weekday of a date, 0 for Monday. */
export function weekdayName(number: number): Weekday {
  return WEEKDAYS[number] ?? 'monday';
}

/** Return the weekday in a column of the week grid. */
export function weekdayAt(column: number): Weekday {
  return orderedWeekdays()[column] ?? 'monday';
}

const ANY_MONDAY = '2024-01-01';

const anyDateOn = (day: Weekday) => addDays(ANY_MONDAY, WEEKDAYS.indexOf(day));

/** Return a weekday's name in the language of the interface. */
export function weekdayLabel(day: Weekday): string {
  return formatWeekday(anyDateOn(day));
}

/** Return a weekday's short name: "Mon". */
export function shortWeekdayLabel(day: Weekday): string {
  return dayParts(anyDateOn(day)).weekday;
}
