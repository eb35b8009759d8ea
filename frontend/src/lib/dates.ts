/**
 * Dates are `YYYY-MM-DD` strings and times `HH:MM` strings: wall-clock time at the clinic.
 * Instants are ISO 8601 strings in UTC. A JavaScript Date appears only inside this file.
 */

import { t } from '@lingui/core/macro';
import { formatLocale } from './locale';

const DAY_MS = 86_400_000;
const ISO_DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Cached formatters: creating one takes longer than hundreds of uses. */
function formatter(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options);
  const made = formatters.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formatters.set(key, made);
  return made;
}

/** Parse a date as midnight UTC, where adding days is not affected by clock changes. */
function utc(date: string): Date {
  return new Date(`${date}T00:00:00Z`);
}

function iso(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** Return whether the text is a date that exists (2026-02-30 does not). */
export function isDate(text: string): boolean {
  if (!ISO_DATE.test(text)) return false;
  const date = utc(text);
  return !Number.isNaN(date.getTime()) && iso(date) === text;
}

export function addDays(date: string, days: number): string {
  const result = utc(date);
  result.setUTCDate(result.getUTCDate() + days);
  return iso(result);
}

/** Return the days from one date to another; negative if `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((utc(to).getTime() - utc(from).getTime()) / DAY_MS);
}

let own: string | null = null;

/** The time zone of this browser. */
export function browserZone(): string {
  if (own === null) {
    own = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
    // A page asks a hundred times while it renders; cache until the next task, since the device may
    // move.
    queueMicrotask(() => {
      own = null;
    });
  }
  return own;
}

/** By zone and day since 1970: the UTC offset in milliseconds at the start of the day there. */
const ahead = new Map<string, number>();

function aheadAt(day: number, zone: string): number {
  const key = zone + day;
  let offset = ahead.get(key);
  if (offset === undefined) {
    const there = formatInZone(new Date(day * DAY_MS), zone);
    offset = Date.parse(`${there.date}T${there.time}:00Z`) - day * DAY_MS;
    ahead.set(key, offset);
  }
  return offset;
}

/** Return the wall-clock date and time of an instant in a zone. */
export function inZone(instant: string | Date, zone: string): { date: string; time: string } {
  const at = new Date(instant).getTime();
  const day = Math.floor(at / DAY_MS);
  const shift = aheadAt(day, zone);
  // Formatting each time would cost a page of doctors a tenth of a second, so use one offset for
  // each day without a clock change.
  if (shift !== aheadAt(day + 1, zone)) return formatInZone(new Date(at), zone);
  const wall = new Date(at + shift).toISOString();
  return { date: wall.slice(0, 10), time: wall.slice(11, 16) };
}

function formatInZone(instant: Date, zone: string): { date: string; time: string } {
  const parts = formatter('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(instant);
  const get = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  return {
    date: `${get('year')}-${get('month')}-${get('day')}`,
    time: `${get('hour')}:${get('minute')}`,
  };
}

/** Return today in a zone (by default the browser's). */
export function today(zone: string = browserZone()): string {
  return inZone(new Date(), zone).date;
}

/**
 * The instant of a wall-clock date and time in a zone, as the server computes it: of the two that an
 * hour has when clocks go back, the first.
 */
export function instantOf(date: string, time: string, zone: string): string {
  const wall = Date.parse(`${date}T${time}:00Z`);
  const shift = (at: number) => {
    const there = inZone(new Date(at), zone);
    return Date.parse(`${there.date}T${there.time}:00Z`) - at;
  };
  // The offsets of the day before and the day after, which differ around a clock change.
  const [first, second] = [-DAY_MS, DAY_MS].map((day) => wall - shift(wall + day)) as [
    number,
    number,
  ];
  const read = inZone(new Date(first), zone);
  const right = read.date === date && read.time === time;
  return new Date(right ? first : second).toISOString();
}

/** Months are `YYYY-MM`. */
export function monthOf(date: string): string {
  return date.slice(0, 7);
}

export function addMonths(month: string, count: number): string {
  const result = utc(`${month}-01`);
  result.setUTCMonth(result.getUTCMonth() + count);
  return monthOf(iso(result));
}

export function daysInMonth(month: string): number {
  return daysBetween(`${month}-01`, `${addMonths(month, 1)}-01`);
}

/** 0 for Monday to 6 for Sunday. */
export function weekdayOf(date: string): number {
  return (utc(date).getUTCDay() + 6) % 7;
}

/** Return the age in whole years on a day; never negative. */
export function ageOn(birthDate: string, day: string = today()): number {
  const years = Number(day.slice(0, 4)) - Number(birthDate.slice(0, 4));
  const hadBirthday = day.slice(5) >= birthDate.slice(5);
  return Math.max(0, hadBirthday ? years : years - 1);
}

function format(date: string, options: Intl.DateTimeFormatOptions): string {
  const locale = formatLocale();
  const text = formatter(locale, { timeZone: 'UTC', ...options }).format(utc(date));
  // Newer versions of CLDR put a comma after a British weekday.
  return locale === 'en-GB' ? text.replace(/^(\p{L}+),/u, '$1') : text;
}

function yearOption(date: string): Intl.DateTimeFormatOptions {
  return date.slice(0, 4) === today().slice(0, 4) ? {} : { year: 'numeric' };
}

/** Format "Tuesday, December 8", with the year unless it is the current one. */
export function formatDay(date: string): string {
  return format(date, { weekday: 'long', day: 'numeric', month: 'long', ...yearOption(date) });
}

/** Format "Tuesday, December 8, 2026", for print and distant dates. */
export function formatFullDay(date: string): string {
  return format(date, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
}

/** "Tue, Dec 8", for narrow places. */
export function formatShortDay(date: string): string {
  return format(date, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...yearOption(date),
  });
}

/** Format "Tue, Dec 8", for days of the next weeks. */
export function formatShortDayWithoutYear(date: string): string {
  return format(date, { weekday: 'short', day: 'numeric', month: 'short' });
}

/** Format "Tue" and "Dec 8", for the two lines of a narrow tile. */
export function dayParts(date: string): { weekday: string; day: string } {
  return {
    weekday: format(date, { weekday: 'short' }),
    day: format(date, { day: 'numeric', month: 'short' }),
  };
}

/** Format "December 8, 2026", for birth dates and records. */
export function formatDate(date: string): string {
  return format(date, { day: 'numeric', month: 'long', year: 'numeric' });
}

/** "December 2026". */
export function formatMonth(date: string): string {
  return format(date, { month: 'long', year: 'numeric' });
}

/** Format a period of days: "November 23 – 29, 2026". */
export function formatPeriod(from: string, to: string): string {
  return formatter(formatLocale(), {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  }).formatRange(utc(from), utc(to));
}

/** "Tuesday". */
export function formatWeekday(date: string): string {
  return format(date, { weekday: 'long' });
}

const timeFormatter = (options: Intl.DateTimeFormatOptions = {}) =>
  formatter(formatLocale(), { timeZone: 'UTC', timeStyle: 'short', ...options });

const onAnyDay = (time: string) => Date.parse(`1970-01-01T${time}Z`);

/**
 * Format a wall-clock time: "2:00 PM" or "14:00", whichever the locale has. What is not a time, such
 * as one being typed, stays as it is.
 */
export function formatTime(time: string): string {
  const at = onAnyDay(time);
  if (Number.isNaN(at)) return time;
  // The end of a day is 24:00 unless the clock has twelve hours.
  const isDayEnd = time === '24:00' && timeFormatter().resolvedOptions().hourCycle === 'h23';
  return timeFormatter(isDayEnd ? { hourCycle: 'h24' } : {}).format(at);
}

/** Format the time between two wall-clock times: "2:00 – 2:30 PM". */
export function formatTimeRange(start: string, end: string): string {
  // Intl would name the days if the end is midnight, which is on the next one.
  return end === '24:00'
    ? `${formatTime(start)} – ${formatTime(end)}`
    : timeFormatter().formatRange(onAnyDay(start), onAnyDay(end));
}

function joinDayAndTime(day: string, clock: string): string {
  return t({ message: `${day}, ${clock}`, comment: 'Tuesday, December 8, 2:00 PM' });
}

/** Format "Tuesday, December 8, 2:00 PM". */
export function formatDayTime(date: string, time: string): string {
  return joinDayAndTime(formatDay(date), formatTime(time));
}

/** Format "Tue, Dec 8, 2:00 PM". */
export function formatShortDayTime(date: string, time: string): string {
  return joinDayAndTime(formatShortDay(date), formatTime(time));
}

/** Format an instant as "Tuesday, December 8, 2:00 PM" in a zone (by default the browser's). */
export function formatInstant(instant: string, zone: string = browserZone()): string {
  const { date, time } = inZone(instant, zone);
  return formatDayTime(date, time);
}

/** Format an instant in UTC with seconds, for logs: "Tue, Dec 8, 2:05:09 PM". */
export function formatLogTime(instant: string): string {
  const [date = '', time = ''] = new Date(instant).toISOString().split(/[T.]/);
  const clock = timeFormatter({ timeStyle: 'medium' }).format(onAnyDay(time));
  return joinDayAndTime(formatShortDay(date), clock);
}

/** Format "Today", "Tomorrow" or the weekday and date, relative to today in the clinic's zone. */
export function formatNearDay(date: string, zone?: string): string {
  const distance = daysBetween(today(zone), date);
  if (distance === 0) return t`Today`;
  if (distance === 1) return t`Tomorrow`;
  return formatShortDay(date);
}

/** Format a zone: "New York time" for America/New_York. */
export function zoneLabel(zone: string): string {
  if (zone === 'UTC' || zone === 'Etc/UTC') return 'UTC';
  const city = (zone.split('/').pop() ?? zone).replaceAll('_', ' ');
  return t({ message: `${city} time`, comment: 'The time zone of a city: New York time' });
}

/**
 * Return the wall-clock time of an instant in the user's own zone, or null if it equals the
 * clinic's (two zones may agree).
 */
export function viewerClock(
  instant: string,
  clinicZone: string,
): { date: string; time: string } | null {
  const clinic = inZone(instant, clinicZone);
  const own = inZone(instant, browserZone());
  return clinic.date === own.date && clinic.time === own.time ? null : own;
}

/** Format an instant relative to now: "5 minutes ago", "in 2 days". */
export function formatRelative(instant: string, now: Date = new Date()): string {
  const seconds = (new Date(instant).getTime() - now.getTime()) / 1000;
  const words = new Intl.RelativeTimeFormat(formatLocale(), { numeric: 'auto' });
  const size = Math.abs(seconds);
  if (size < 60) return t`just now`;
  if (size < 3600) return words.format(Math.round(seconds / 60), 'minute');
  if (size < 86_400) return words.format(Math.round(seconds / 3600), 'hour');
  return words.format(Math.round(seconds / 86_400), 'day');
}

/** Return whether a time is in the morning, which ends at noon. */
export function isMorning(time: string): boolean {
  return time < '12:00';
}
