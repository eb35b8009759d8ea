import type { BlockedTime, Calendar, CalendarDay, CalendarVisit, KeptTime } from '@/api/types';
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
  (
    | { kind: 'visit'; visit: CalendarVisit }
    | { kind: 'blocked'; blocked: BlockedTime }
    | { kind: 'kept'; kept: KeptTime }
    /** Open time that nothing takes, as long as a visit. */
    | { kind: 'empty' }
    /** Cancelled visits that have no room beside the others. */
    | { kind: 'more'; count: number }
  );

/** An item and its share of the day's width. */
export type Placed = Item & { lane: number; lanes: number };

/** More than these side by side cannot be read. */
const MOST_LANES = 3;

const isCancelled = (item: Item) => item.kind === 'visit' && item.visit.status === 'cancelled';
const meets = (a: Pick<Stretch, 'start' | 'end'>, b: Pick<Stretch, 'start' | 'end'>) =>
  a.start < b.end && b.start < a.end;

/**
 * A visit's stretch of its day. It lasts its minutes, and reaches as far as the wall clock when an
 * hour is left out on the way; what goes on after midnight is cut off.
 */
export function stretchOf(
  visit: Pick<CalendarVisit, 'appointmentDate' | 'appointmentTime' | 'minutes' | 'endsAt'>,
  zone: string,
): { start: number; end: number } {
  const start = minuteOf(visit.appointmentTime) ?? 0;
  const ends = inZone(visit.endsAt, zone);
  const wall = ends.date === visit.appointmentDate ? (minuteOf(ends.time) ?? 0) : 0;
  return { start, end: Math.min(DAY_MINUTES, Math.max(start + visit.minutes, wall)) };
}

/** The minute of a day that an instant is at, or null on another day. */
export function minuteNow(now: number, zone: string, date: string): number | null {
  const there = inZone(new Date(now), zone);
  return there.date === date ? minuteOf(there.time) : null;
}

/** Everything of one day, in the order of its time; empty time only from `after` on. */
export function itemsOf(calendar: Calendar, day: CalendarDay, now: number): Item[] {
  const { timeZone: zone } = calendar;
  const visits = calendar.visits
    .filter((visit) => visit.appointmentDate === day.date)
    .map(
      (visit): Item => ({
        kind: 'visit',
        key: visit._id,
        visit,
        ...stretchOf(visit, zone),
      }),
    );
  const blocked = day.blocked.map(
    (each): Item => ({
      kind: 'blocked',
      key: `blocked-${each._id}`,
      blocked: each,
      start: minuteOf(each.start) ?? 0,
      end: minuteOf(each.end) ?? DAY_MINUTES,
    }),
  );
  const kept = calendar.kept
    .filter((each) => each.date === day.date)
    .map((each, at): Item => {
      const start = minuteOf(each.time) ?? 0;
      const end = Math.min(DAY_MINUTES, start + each.minutes);
      return { kind: 'kept', key: `kept-${day.date}-${at}`, kept: each, start, end };
    });
  const taken = [...visits.filter((item) => !isCancelled(item)), ...blocked, ...kept];
  const items = [...visits, ...blocked, ...kept, ...emptyTimes(calendar, day, taken, now)];
  return items.sort(byTime);
}

/** In order of time; what stands before what is cancelled. */
function byTime(a: Item, b: Item): number {
  return a.start - b.start || Number(isCancelled(a)) - Number(isCancelled(b)) || b.end - a.end;
}

function emptyTimes(
  { visitMinutes, timeZone, today }: Calendar,
  { date, hours }: CalendarDay,
  taken: Item[],
  now: number,
): Item[] {
  if (date < today) return [];
  const from = minuteNow(now, timeZone, date) ?? 0;
  const found: Item[] = [];
  for (const [first, last] of spansOf(hours)) {
    let start = first;
    while (start + visitMinutes <= last) {
      const stretch = { start, end: start + visitMinutes };
      const inTheWay = taken.filter((item) => meets(item, stretch));
      if (inTheWay.length > 0) {
        // Go on after what is in the way, and at the next time that visits of these hours start at.
        const end = Math.max(...inTheWay.map((item) => item.end));
        start = first + Math.ceil((end - first) / visitMinutes) * visitMinutes;
        continue;
      }
      if (start >= from) found.push({ kind: 'empty', key: `empty-${date}-${start}`, ...stretch });
      start += visitMinutes;
    }
  }
  return found;
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
export function rangeOf(calendar: Calendar): { first: number; last: number } {
  const spans = calendar.days.flatMap(({ hours, blocked }) => [
    ...spansOf(hours),
    ...spansOf(blocked),
  ]);
  const kept = calendar.kept.map(({ time, minutes }) => {
    const start = minuteOf(time) ?? 0;
    return [start, Math.min(DAY_MINUTES, start + minutes)] as const;
  });
  const visits = calendar.visits.map((visit) => {
    const { start, end } = stretchOf(visit, calendar.timeZone);
    return [start, end] as const;
  });
  const all = [...spans, ...kept, ...visits];
  return {
    first: Math.floor(Math.min(MORNING, ...all.map(([start]) => start)) / 60) * 60,
    last: Math.ceil(Math.max(EVENING, ...all.map(([, end]) => end)) / 60) * 60,
  };
}

/** Pixels of an hour: enough for a line of text in the shortest visit. */
export function hourHeight(visitMinutes: number): number {
  return Math.min(168, Math.max(56, Math.round((34 * 60) / visitMinutes)));
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
  exceptVisit?: string,
): string | null {
  const { timeZone: zone, visitMinutes, today } = calendar;
  const wanted = { start, end: start + visitMinutes };
  const passed = minuteNow(now, zone, date);
  if (date < today || (passed !== null && start < passed)) return 'This time is over.';
  const day = calendar.days.find((each) => each.date === date);
  if (!day) return null;
  const span = (from: number, to: number) => `${clock(from)} to ${clock(to)}`;
  for (const visit of calendar.visits) {
    if (visit.appointmentDate !== date || visit.status === 'cancelled') continue;
    if (visit._id === exceptVisit) continue;
    const stretch = stretchOf(visit, zone);
    if (meets(stretch, wanted)) {
      return `The visit of ${visit.patient.name}, ${span(stretch.start, stretch.end)}, is in the way.`;
    }
  }
  for (const { start: from, end, reason } of day.blocked) {
    if (meets({ start: minuteOf(from) ?? 0, end: minuteOf(end) ?? DAY_MINUTES }, wanted)) {
      return `${from} to ${end} is blocked${reason && ` (${reason})`}.`;
    }
  }
  for (const kept of calendar.kept) {
    const from = minuteOf(kept.time) ?? 0;
    if (kept.date === date && meets({ start: from, end: from + kept.minutes }, wanted)) {
      return kept.kind === 'hold'
        ? `Someone is booking ${kept.time} just now.`
        : `${kept.time} is kept for a visit that may move there.`;
    }
  }
  if (day.dayOff) return `You are off on ${formatDay(date)}${day.reason && ` (${day.reason})`}.`;
  const inside = spansOf(day.hours).some(([from, to]) => from <= start && wanted.end <= to);
  if (!inside) return `${span(start, wanted.end)} lies outside your hours.`;
  return null;
}

/** What "Book or block time" begins with: the first empty time of the days shown, else one yet to come. */
export function nextTime(
  calendar: Calendar,
  now: number,
): { date: string; start: number; end: number } {
  const { timeZone: zone, today, visitMinutes, days } = calendar;
  const at = (date: string, start: number) => ({ date, start, end: start + visitMinutes });
  for (const day of days) {
    const empty = itemsOf(calendar, day, now).find((item) => item.kind === 'empty');
    if (empty) return at(day.date, empty.start);
  }
  const date = days.find((day) => day.date >= today)?.date ?? today;
  const passed = minuteNow(now, zone, date);
  const start = passed === null ? NINE : Math.max(NINE, (Math.floor(passed / 30) + 1) * 30);
  return start + visitMinutes <= DAY_MINUTES ? at(date, start) : at(addDays(date, 1), NINE);
}

/** The first day shown, and how many. */
export function daysOf(view: 'day' | 'week', date: string, weekday: number) {
  return view === 'day' ? { from: date, days: 1 } : { from: addDays(date, -weekday), days: 7 };
}
