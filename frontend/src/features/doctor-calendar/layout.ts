import type {
  Absence,
  BlockedTime,
  Calendar,
  CalendarAppointment,
  CalendarDay,
  KeptTime,
} from '@/api/types';
import { absenceText, absentMinutes } from '@/domain/schedule/absence';
import { clock, DAY_MINUTES, minuteOf, spansOf } from '@/domain/schedule/hours';
import { addDays, formatDay, inZone } from '@/lib/dates';

/**
 * Where things stand in a day of the calendar. All places are minutes of the clinic's wall clock, so
 * a day has 24 hours also when clocks change: an hour that is left out is an empty stretch, one that
 * comes twice is drawn once.
 */

interface Stretch {
  key: string;
  start: number;
  end: number;
}

export type Item = Stretch &
  /** What began the evening before is `continued` on its second date. */
  (
    | { kind: 'visit'; appointment: CalendarAppointment; continued: boolean }
    | { kind: 'blocked'; blocked: BlockedTime }
    | { kind: 'absence'; absence: Absence }
    | { kind: 'kept'; kept: KeptTime }
    /** A start that patients are offered, as long as an appointment. */
    | { kind: 'empty' }
    /** Cancelled appointments that have no room beside the others. */
    | { kind: 'more'; count: number }
  );

/** An item and its share of the day's width. */
export type Placed = Item & { lane: number; lanes: number };

/** More than these side by side cannot be read. */
const MOST_LANES = 3;

const isCancelled = (item: Item) =>
  item.kind === 'visit' && item.appointment.status === 'cancelled';
const meets = (a: Pick<Stretch, 'start' | 'end'>, b: Pick<Stretch, 'start' | 'end'>) =>
  a.start < b.end && b.start < a.end;

type Timed = Pick<
  CalendarAppointment,
  'appointmentDate' | 'appointmentTime' | 'minutes' | 'endsAt'
>;

/**
 * An appointment's stretch of the day on which it begins. It lasts its minutes, and reaches as far
 * as the wall clock when an hour is left out on the way; what goes on after midnight is cut off.
 */
export function stretchOf(appointment: Timed, zone: string): { start: number; end: number } {
  const start = minuteOf(appointment.appointmentTime) ?? 0;
  const ends = inZone(appointment.endsAt, zone);
  const wall = ends.date === appointment.appointmentDate ? (minuteOf(ends.time) ?? 0) : 0;
  return { start, end: Math.min(DAY_MINUTES, Math.max(start + appointment.minutes, wall)) };
}

/** What an appointment takes of a date: on the one after its own, from midnight to its end. */
function stretchOn(
  date: string,
  appointment: Timed,
  zone: string,
): { start: number; end: number } | null {
  if (appointment.appointmentDate === date) return stretchOf(appointment, zone);
  const ends = inZone(appointment.endsAt, zone);
  const end = ends.date === date && addDays(appointment.appointmentDate, 1) === date;
  return end && ends.time !== '00:00' ? { start: 0, end: minuteOf(ends.time) ?? 0 } : null;
}

/** The same for a time that is kept. */
function keptOn(date: string, kept: KeptTime): { start: number; end: number } | null {
  const start = minuteOf(kept.time) ?? 0;
  const end = start + kept.minutes;
  if (kept.date === date) return { start, end: Math.min(DAY_MINUTES, end) };
  return addDays(kept.date, 1) === date && end > DAY_MINUTES
    ? { start: 0, end: end - DAY_MINUTES }
    : null;
}

/** The minute of a day that an instant is at, or null on another day. */
export function minuteNow(now: number, zone: string, date: string): number | null {
  const there = inZone(new Date(now), zone);
  return there.date === date ? minuteOf(there.time) : null;
}

/** Everything of one day, in the order of its time. */
export function itemsOf(calendar: Calendar, day: CalendarDay, now: number): Item[] {
  const { timeZone: zone } = calendar;
  const appointments = calendar.visits.flatMap((appointment): Item[] => {
    const stretch = stretchOn(day.date, appointment, zone);
    if (!stretch) return [];
    const continued = appointment.appointmentDate !== day.date;
    const key = continued ? `${appointment._id}-continued` : appointment._id;
    return [{ kind: 'visit', key, appointment, continued, ...stretch }];
  });
  const absences = calendar.absences.flatMap((absence): Item[] => {
    const minutes = absentMinutes(absence, day.date);
    if (!minutes) return [];
    const [start, end] = minutes;
    return [{ kind: 'absence', key: `absence-${day.date}-${absence._id}`, absence, start, end }];
  });
  const blocked = day.blocked.map(
    (each): Item => ({
      kind: 'blocked',
      key: `blocked-${each._id}`,
      blocked: each,
      start: minuteOf(each.start) ?? 0,
      end: minuteOf(each.end) ?? DAY_MINUTES,
    }),
  );
  const kept = calendar.kept.flatMap((each, at): Item[] => {
    const stretch = keptOn(day.date, each);
    return stretch ? [{ kind: 'kept', key: `kept-${day.date}-${at}`, kept: each, ...stretch }] : [];
  });
  const items = [
    ...appointments,
    ...absences,
    ...blocked,
    ...kept,
    ...freeItems(calendar, day, now),
  ];
  return items.sort(byTime);
}

/** In order of time; what stands before what is cancelled. */
function byTime(a: Item, b: Item): number {
  return a.start - b.start || Number(isCancelled(a)) - Number(isCancelled(b)) || b.end - a.end;
}

/** Exactly the starts that patients are offered, as the server lists them. */
export function freeStarts(calendar: Calendar, day: CalendarDay, now: number): number[] {
  const from = minuteNow(now, calendar.timeZone, day.date) ?? -1;
  return day.freeTimes.map((time) => minuteOf(time) ?? 0).filter((start) => start > from);
}

function freeItems(calendar: Calendar, day: CalendarDay, now: number): Item[] {
  return freeStarts(calendar, day, now).map((start) => ({
    kind: 'empty',
    key: `empty-${day.date}-${start}`,
    start,
    end: Math.min(DAY_MINUTES, start + calendar.visitMinutes),
  }));
}

/** The free start nearest to a minute of a day, or null where the day has none. */
export function nearestStart(
  calendar: Calendar,
  date: string,
  minute: number,
  now: number,
): number | null {
  const day = calendar.days.find((each) => each.date === date);
  if (!day) return null;
  const starts = freeStarts(calendar, day, now).map((start) => ({ start }));
  const at = nearest(starts, minute);
  return at === null ? null : (starts[at]?.start ?? null);
}

/**
 * Give each item its lane beside those it overlaps. What stands comes before what is cancelled; when
 * the cancelled ones do not fit, one item stands for them all.
 */
export function place(items: readonly Item[]): Placed[] {
  const placed: Placed[] = [];
  for (const group of groups([...items].sort(byTime))) {
    const standing = group.filter((item) => !isCancelled(item));
    const cancelled = group.filter(isCancelled);
    const ends: number[] = [];
    const laneFor = (item: Item, from = 0) => {
      let lane = from;
      while ((ends[lane] ?? 0) > item.start) lane += 1;
      ends[lane] = item.end;
      return lane;
    };
    const lanes = new Map<Item, number>();
    for (const item of standing) lanes.set(item, laneFor(item));
    const before = [...ends];
    for (const item of cancelled) lanes.set(item, laneFor(item));
    let shown = group;
    if (ends.length > Math.max(MOST_LANES, before.length)) {
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
      shown = [...standing, more];
      ends.length = before.length + 1;
    }
    for (const item of shown) {
      placed.push({ ...item, lane: lanes.get(item) ?? 0, lanes: Math.max(1, ends.length) });
    }
  }
  return placed.sort(byTime);
}

/** Items that hang together by overlapping. */
function groups(sorted: readonly Item[]): Item[][] {
  const found: Item[][] = [];
  let end = -1;
  for (const item of sorted) {
    if (item.start >= end) found.push([]);
    found.at(-1)?.push(item);
    end = Math.max(end, item.end);
  }
  return found;
}

/** Where a day begins that says nothing of its hours. */
const NINE = 9 * 60;

/** What is shown of a day unless something reaches further, in minutes. */
const MORNING = 8 * 60;
const EVENING = 18 * 60;

/** The hours that all days together need, on full hours. */
export function hourRange(calendar: Calendar): { first: number; last: number } {
  const spans = calendar.days.flatMap(({ hours, blocked }) => [
    ...spansOf(hours),
    ...spansOf(blocked),
  ]);
  const taken = calendar.days.flatMap(({ date }) => [
    ...calendar.kept.map((each) => keptOn(date, each)),
    ...calendar.visits.map((appointment) => stretchOn(date, appointment, calendar.timeZone)),
  ]);
  const appointments = taken
    .filter((stretch) => stretch !== null)
    .map(({ start, end }) => [start, end] as const);
  const all = [...spans, ...appointments];
  return {
    first: Math.floor(Math.min(MORNING, ...all.map(([start]) => start)) / 60) * 60,
    last: Math.ceil(Math.max(EVENING, ...all.map(([, end]) => end)) / 60) * 60,
  };
}

/** Pixels of an hour: enough for a line of text in the shortest appointment. */
export function hourHeight(appointmentMinutes: number): number {
  return Math.min(168, Math.max(56, Math.round((34 * 60) / appointmentMinutes)));
}

/** Where a key leads from an item: its day and its place in that day; null where nothing is. */
export function walk(
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
        const near = nearest(days[other] ?? [], minute);
        if (near !== null) return [other, near];
      }
      return null;
    }
    default:
      return null;
  }
}

/** The item that begins nearest to a minute; null on an empty day. */
export function nearest(items: readonly { start: number }[], minute: number): number | null {
  let best: number | null = null;
  items.forEach(({ start }, index) => {
    const known = best === null ? undefined : items[best];
    if (!known || Math.abs(start - minute) < Math.abs(known.start - minute)) best = index;
  });
  return best;
}

/** What a stretch of time would run into, in a sentence, for booking or moving there; null if nothing. */
export function inTheWay(
  calendar: Calendar,
  date: string,
  start: number,
  now: number,
  exceptAppointment?: string,
): string | null {
  const { timeZone: zone, visitMinutes: appointmentMinutes, bufferMinutes, today } = calendar;
  const wanted = { start, end: start + appointmentMinutes };
  const withBuffer = { start, end: wanted.end + bufferMinutes };
  const passed = minuteNow(now, zone, date);
  if (date < today || (passed !== null && start < passed)) return 'That time has passed.';
  const day = calendar.days.find((each) => each.date === date);
  if (!day) return null;
  const span = (from: number, to: number) => `${clock(from)} to ${clock(to)}`;
  for (const appointment of calendar.visits) {
    if (appointment.status === 'cancelled' || appointment._id === exceptAppointment) continue;
    const stretch = stretchOn(date, appointment, zone);
    if (!stretch) continue;
    const busy = { start: stretch.start, end: stretch.end + appointment.bufferMinutes };
    if (meets(stretch, withBuffer)) {
      return `The appointment of ${appointment.patient.name}, ${span(stretch.start, stretch.end)}, is in the way.`;
    }
    if (meets(busy, withBuffer)) {
      return `The ${appointment.bufferMinutes} minutes of buffer after the appointment of ${appointment.patient.name} are in the way.`;
    }
  }
  for (const { start: from, end, reason } of day.blocked) {
    if (meets({ start: minuteOf(from) ?? 0, end: minuteOf(end) ?? DAY_MINUTES }, wanted)) {
      return `${from} to ${end} is blocked${reason && ` (${reason})`}.`;
    }
  }
  for (const absence of calendar.absences) {
    const minutes = absentMinutes(absence, date);
    if (minutes && meets({ start: minutes[0], end: minutes[1] }, wanted)) {
      return `You are off${absence.reason && ` (${absence.reason})`}: ${absenceText(absence)}.`;
    }
  }
  for (const kept of calendar.kept) {
    const stretch = keptOn(date, kept);
    if (stretch && meets(stretch, withBuffer)) {
      return kept.kind === 'hold'
        ? `Someone is booking ${kept.time} just now.`
        : `${kept.time} is proposed to ${kept.patientName}.`;
    }
  }
  if (day.dayOff) return `You are off on ${formatDay(date)}${day.reason && ` (${day.reason})`}.`;
  // Two blocks that touch are one: hours past midnight are shown on both dates.
  const inside = spansOf(day.hours).some(
    ([from, to]) => from <= start && (wanted.end <= to || to === DAY_MINUTES),
  );
  if (!inside) return `${span(start, wanted.end)} is outside your hours.`;
  return null;
}

/** What "Book or block time" begins with: the first free time of the days shown, else one yet to come. */
export function nextTime(
  calendar: Calendar,
  now: number,
): { date: string; start: number; end: number } {
  const { timeZone: zone, today, visitMinutes: appointmentMinutes, days } = calendar;
  const at = (date: string, start: number) => ({ date, start, end: start + appointmentMinutes });
  for (const day of days) {
    const empty = itemsOf(calendar, day, now).find((item) => item.kind === 'empty');
    if (empty) return at(day.date, empty.start);
  }
  const date = days.find((day) => day.date >= today)?.date ?? today;
  const passed = minuteNow(now, zone, date);
  const start = passed === null ? NINE : Math.max(NINE, (Math.floor(passed / 30) + 1) * 30);
  return start + appointmentMinutes <= DAY_MINUTES ? at(date, start) : at(addDays(date, 1), NINE);
}

/** The first day shown, and how many. */
export function daysOf(view: 'day' | 'week', date: string, weekday: number) {
  return view === 'day' ? { from: date, days: 1 } : { from: addDays(date, -weekday), days: 7 };
}
