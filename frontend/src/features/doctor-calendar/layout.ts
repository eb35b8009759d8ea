import { plural, t } from '@lingui/core/macro';
import type {
  Absence,
  BlockedTime,
  Calendar,
  CalendarAppointment,
  CalendarDay,
  KeptTime,
} from '@/api/types';
import { absenceMinutesOn, absenceText } from '@/domain/schedule/absence';
import { DAY_MINUTES, minuteText, parseMinute, toSpans } from '@/domain/schedule/hours';
import { addDays, formatDay, formatTime, inZone } from '@/lib/dates';

/**
 * The layout of the calendar's days. All times are minutes in the clinic's time zone, so
 * a day has 24 hours even when clocks change: a skipped hour is empty, a repeated one
 * is drawn once.
 */

interface TimeSpan {
  key: string;
  start: number;
  end: number;
}

export type Item = TimeSpan &
  /** An appointment that began the day before has `isContinued`. */
  (
    | { kind: 'appointment'; appointment: CalendarAppointment; isContinued: boolean }
    | { kind: 'blocked'; blocked: BlockedTime }
    | { kind: 'absence'; absence: Absence }
    | { kind: 'reserved'; reservation: KeptTime }
    /** A start offered to patients, with the duration of an appointment. */
    | { kind: 'empty' }
    /** Cancelled appointments that do not fit beside the others. */
    | { kind: 'more'; count: number }
  );

/** An item and its share of the day's width. */
export type PlacedItem = Item & { lane: number; lanes: number };

/** More lanes would be unreadable. */
const MAX_LANES = 3;

const isCancelled = (item: Item) =>
  item.kind === 'appointment' && item.appointment.status === 'cancelled';
const overlaps = (a: Pick<TimeSpan, 'start' | 'end'>, b: Pick<TimeSpan, 'start' | 'end'>) =>
  a.start < b.end && b.start < a.end;

type TimedAppointment = Pick<
  CalendarAppointment,
  'appointmentDate' | 'appointmentTime' | 'minutes' | 'endsAt'
>;

/**
 * Return an appointment's span on the day it begins. It lasts its minutes, or until its wall-clock end
 * if an hour is skipped meanwhile; it is cut off at midnight.
 */
export function appointmentSpan(
  appointment: TimedAppointment,
  zone: string,
): { start: number; end: number } {
  const start = parseMinute(appointment.appointmentTime) ?? 0;
  const ends = inZone(appointment.endsAt, zone);
  const wall = ends.date === appointment.appointmentDate ? (parseMinute(ends.time) ?? 0) : 0;
  return { start, end: Math.min(DAY_MINUTES, Math.max(start + appointment.minutes, wall)) };
}

/** Return an appointment's span on a date; on the day after its own, from midnight to its end. */
function appointmentSpanOn(
  date: string,
  appointment: TimedAppointment,
  zone: string,
): { start: number; end: number } | null {
  if (appointment.appointmentDate === date) return appointmentSpan(appointment, zone);
  const ends = inZone(appointment.endsAt, zone);
  const end = ends.date === date && addDays(appointment.appointmentDate, 1) === date;
  return end && ends.time !== '00:00' ? { start: 0, end: parseMinute(ends.time) ?? 0 } : null;
}

/** Return the span of a held or proposed time on a date. */
function reservedSpanOn(
  date: string,
  reservation: KeptTime,
): { start: number; end: number } | null {
  const start = parseMinute(reservation.time) ?? 0;
  const end = start + reservation.minutes;
  if (reservation.date === date) return { start, end: Math.min(DAY_MINUTES, end) };
  return addDays(reservation.date, 1) === date && end > DAY_MINUTES
    ? { start: 0, end: end - DAY_MINUTES }
    : null;
}

/** Return the current minute of a date, or null on another day. */
export function minuteNow(now: number, zone: string, date: string): number | null {
  const there = inZone(new Date(now), zone);
  return there.date === date ? parseMinute(there.time) : null;
}

/** Return all items of one day in order of time. */
export function dayItems(calendar: Calendar, day: CalendarDay, now: number): Item[] {
  const { timeZone: zone } = calendar;
  const appointments = calendar.visits.flatMap((appointment): Item[] => {
    const span = appointmentSpanOn(day.date, appointment, zone);
    if (!span) return [];
    const isContinued = appointment.appointmentDate !== day.date;
    const key = isContinued ? `${appointment._id}-continued` : appointment._id;
    return [{ kind: 'appointment', key, appointment, isContinued, ...span }];
  });
  const absences = calendar.absences.flatMap((absence): Item[] => {
    const minutes = absenceMinutesOn(absence, day.date);
    if (!minutes) return [];
    const [start, end] = minutes;
    return [{ kind: 'absence', key: `absence-${day.date}-${absence._id}`, absence, start, end }];
  });
  const blocked = day.blocked.map(
    (each): Item => ({
      kind: 'blocked',
      key: `blocked-${each._id}`,
      blocked: each,
      start: parseMinute(each.start) ?? 0,
      end: parseMinute(each.end) ?? DAY_MINUTES,
    }),
  );
  const reserved = calendar.kept.flatMap((each, index): Item[] => {
    const span = reservedSpanOn(day.date, each);
    return span
      ? [{ kind: 'reserved', key: `reserved-${day.date}-${index}`, reservation: each, ...span }]
      : [];
  });
  const items = [
    ...appointments,
    ...absences,
    ...blocked,
    ...reserved,
    ...freeItems(calendar, day, now),
  ];
  return items.sort(byTime);
}

/** Compare by time; cancelled items come after others. */
function byTime(a: Item, b: Item): number {
  return a.start - b.start || Number(isCancelled(a)) - Number(isCancelled(b)) || b.end - a.end;
}

/** Return the starts offered to patients, as listed by the server. */
export function freeStarts(calendar: Calendar, day: CalendarDay, now: number): number[] {
  const from = minuteNow(now, calendar.timeZone, day.date) ?? -1;
  return day.freeTimes.map((time) => parseMinute(time) ?? 0).filter((start) => start > from);
}

function freeItems(calendar: Calendar, day: CalendarDay, now: number): Item[] {
  return freeStarts(calendar, day, now).map((start) => ({
    kind: 'empty',
    key: `empty-${day.date}-${start}`,
    start,
    end: Math.min(DAY_MINUTES, start + calendar.visitMinutes),
  }));
}

/** Return the free start nearest to a minute, or null without free starts. */
export function nearestStart(
  calendar: Calendar,
  date: string,
  minute: number,
  now: number,
): number | null {
  const day = calendar.days.find((each) => each.date === date);
  if (!day) return null;
  const starts = freeStarts(calendar, day, now).map((start) => ({ start }));
  const at = nearestIndex(starts, minute);
  return at === null ? null : (starts[at]?.start ?? null);
}

/**
 * Assign each item a lane beside those it overlaps. Cancelled items come after the others; when they do
 * not fit, one item represents them all.
 */
export function assignLanes(items: readonly Item[]): PlacedItem[] {
  const placedItems: PlacedItem[] = [];
  for (const group of overlapGroups([...items].sort(byTime))) {
    const active = group.filter((item) => !isCancelled(item));
    const cancelled = group.filter(isCancelled);
    const ends: number[] = [];
    const laneFor = (item: Item, from = 0) => {
      let lane = from;
      while ((ends[lane] ?? 0) > item.start) lane += 1;
      ends[lane] = item.end;
      return lane;
    };
    const lanes = new Map<Item, number>();
    for (const item of active) lanes.set(item, laneFor(item));
    const before = [...ends];
    for (const item of cancelled) lanes.set(item, laneFor(item));
    let shownItems = group;
    if (ends.length > Math.max(MAX_LANES, before.length)) {
      const [first] = cancelled;
      if (!first) continue;
      const more: Item = {
        kind: 'more',
        key: `more-${first.key}`,
        count: cancelled.length,
        start: Math.min(...cancelled.map((item) => item.start)),
        end: Math.max(...cancelled.map((item) => item.end)),
      };
      lanes.set(more, before.length);
      shownItems = [...active, more];
      ends.length = before.length + 1;
    }
    for (const item of shownItems) {
      placedItems.push({ ...item, lane: lanes.get(item) ?? 0, lanes: Math.max(1, ends.length) });
    }
  }
  return placedItems.sort(byTime);
}

/** Group items that overlap directly or through others. */
function overlapGroups(sorted: readonly Item[]): Item[][] {
  const result: Item[][] = [];
  let end = -1;
  for (const item of sorted) {
    if (item.start >= end) result.push([]);
    result.at(-1)?.push(item);
    end = Math.max(end, item.end);
  }
  return result;
}

/** The suggested start on a day without free times. */
const DEFAULT_START = 9 * 60;

/** The part of a day that is shown unless items extend beyond it, in minutes. */
const DEFAULT_FIRST_MINUTE = 8 * 60;
const DEFAULT_LAST_MINUTE = 18 * 60;

/** Return the range of minutes that fits all days, rounded to full hours. */
export function hourRange(calendar: Calendar): { first: number; last: number } {
  const spans = calendar.days.flatMap(({ hours, blocked }) => [
    ...toSpans(hours),
    ...toSpans(blocked),
  ]);
  const takenSpans = calendar.days.flatMap(({ date }) => [
    ...calendar.kept.map((each) => reservedSpanOn(date, each)),
    ...calendar.visits.map((appointment) =>
      appointmentSpanOn(date, appointment, calendar.timeZone),
    ),
  ]);
  const appointments = takenSpans
    .filter((span) => span !== null)
    .map(({ start, end }) => [start, end] as const);
  const all = [...spans, ...appointments];
  return {
    first: Math.floor(Math.min(DEFAULT_FIRST_MINUTE, ...all.map(([start]) => start)) / 60) * 60,
    last: Math.ceil(Math.max(DEFAULT_LAST_MINUTE, ...all.map(([, end]) => end)) / 60) * 60,
  };
}

/** Return the height of an hour in pixels: enough for a line of text in an appointment. */
export function hourHeight(appointmentMinutes: number): number {
  return Math.min(168, Math.max(56, Math.round((34 * 60) / appointmentMinutes)));
}

/** Return the day and index of the item a key moves to; null if there is none. */
export function positionAfterKey(
  days: readonly (readonly { start: number }[])[],
  [day, at]: readonly [number, number],
  key: string,
): [number, number] | null {
  const here = days[day] ?? [];
  const within = (index: number): [number, number] | null => (here[index] ? [day, index] : null);
  switch (key) {
    case 'ArrowDown':
      return within(at + 1);
    case 'ArrowUp':
      return within(at - 1);
    case 'Home':
      return within(0);
    case 'End':
      return within(here.length - 1);
    case 'ArrowLeft':
    case 'ArrowRight': {
      const step = key === 'ArrowLeft' ? -1 : 1;
      const minute = here[at]?.start ?? 0;
      for (let other = day + step; days[other]; other += step) {
        const near = nearestIndex(days[other] ?? [], minute);
        if (near !== null) return [other, near];
      }
      return null;
    }
    default:
      return null;
  }
}

/** Return the index of the item that begins nearest to a minute; null on an empty day. */
export function nearestIndex(items: readonly { start: number }[], minute: number): number | null {
  let best: number | null = null;
  items.forEach(({ start }, index) => {
    const known = best === null ? undefined : items[best];
    if (!known || Math.abs(start - minute) < Math.abs(known.start - minute)) best = index;
  });
  return best;
}

/** Describe in a sentence what a period would overlap; null if nothing. */
export function conflictText(
  calendar: Calendar,
  date: string,
  start: number,
  now: number,
  excludedId?: string,
): string | null {
  const { timeZone: zone, visitMinutes: appointmentMinutes, bufferMinutes, today } = calendar;
  const newSpan = { start, end: start + appointmentMinutes };
  const withBuffer = { start, end: newSpan.end + bufferMinutes };
  const currentMinute = minuteNow(now, zone, date);
  if (date < today || (currentMinute !== null && start < currentMinute))
    return t`That time has passed.`;
  const day = calendar.days.find((each) => each.date === date);
  if (!day) return null;
  for (const appointment of calendar.visits) {
    if (appointment.status === 'cancelled' || appointment._id === excludedId) continue;
    const span = appointmentSpanOn(date, appointment, zone);
    if (!span) continue;
    const spanWithBuffer = { start: span.start, end: span.end + appointment.bufferMinutes };
    const { name } = appointment.patient;
    if (overlaps(span, withBuffer)) {
      const [from, until] = [minuteText(span.start), minuteText(span.end)];
      return t`This overlaps the appointment with ${name}, ${from} to ${until}.`;
    }
    if (overlaps(spanWithBuffer, withBuffer)) {
      return plural(appointment.bufferMinutes, {
        one: `This overlaps the buffer of # minute after the appointment with ${name}.`,
        other: `This overlaps the buffer of # minutes after the appointment with ${name}.`,
      });
    }
  }
  for (const blocked of day.blocked) {
    const blockedStart = parseMinute(blocked.start) ?? 0;
    const blockedEnd = parseMinute(blocked.end) ?? DAY_MINUTES;
    if (overlaps({ start: blockedStart, end: blockedEnd }, newSpan)) {
      const { reason } = blocked;
      const [from, end] = [minuteText(blockedStart), minuteText(blockedEnd)];
      return reason
        ? t`${from} to ${end} is blocked (${reason}).`
        : t`${from} to ${end} is blocked.`;
    }
  }
  for (const absence of calendar.absences) {
    const minutes = absenceMinutesOn(absence, date);
    if (minutes && overlaps({ start: minutes[0], end: minutes[1] }, newSpan)) {
      const { reason } = absence;
      const period = absenceText(absence);
      return reason ? t`You’re off (${reason}): ${period}.` : t`You’re off: ${period}.`;
    }
  }
  for (const reservation of calendar.kept) {
    const span = reservedSpanOn(date, reservation);
    if (span && overlaps(span, withBuffer)) {
      const { kind, patientName } = reservation;
      const time = formatTime(reservation.time);
      return kind === 'hold'
        ? t`Someone is booking ${time} right now.`
        : t`${time} is suggested to ${patientName}.`;
    }
  }
  if (day.dayOff) {
    const { reason } = day;
    const dayText = formatDay(date);
    return reason ? t`You’re off on ${dayText} (${reason}).` : t`You’re off on ${dayText}.`;
  }
  // Hours past midnight are shown on both dates, so hours until midnight may continue.
  const inside = toSpans(day.hours).some(
    ([from, to]) => from <= start && (newSpan.end <= to || to === DAY_MINUTES),
  );
  if (inside) return null;
  const [from, until] = [minuteText(start), minuteText(newSpan.end)];
  return t`${from} to ${until} is outside your hours.`;
}

/** Suggest a time for "Book or block time": the first free time shown, else a future one. */
export function suggestTime(
  calendar: Calendar,
  now: number,
): { date: string; start: number; end: number } {
  const { timeZone: zone, today, visitMinutes: appointmentMinutes, days } = calendar;
  const at = (date: string, start: number) => ({ date, start, end: start + appointmentMinutes });
  for (const day of days) {
    const empty = dayItems(calendar, day, now).find((item) => item.kind === 'empty');
    if (empty) return at(day.date, empty.start);
  }
  const date = days.find((day) => day.date >= today)?.date ?? today;
  const currentMinute = minuteNow(now, zone, date);
  const start =
    currentMinute === null
      ? DEFAULT_START
      : Math.max(DEFAULT_START, (Math.floor(currentMinute / 30) + 1) * 30);
  return start + appointmentMinutes <= DAY_MINUTES
    ? at(date, start)
    : at(addDays(date, 1), DEFAULT_START);
}

/** Return the first day shown and the number of days. */
export function shownDays(view: 'day' | 'week', date: string, daysIntoWeek: number) {
  return view === 'day' ? { from: date, days: 1 } : { from: addDays(date, -daysIntoWeek), days: 7 };
}
