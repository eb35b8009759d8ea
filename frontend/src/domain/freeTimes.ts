import { useQuery } from '@tanstack/react-query';
import { WINDOW_DAYS } from '@/api/ahead';
import { slotsQuery } from '@/api/queries';
import type { Slots } from '@/api/types';
import {
  addMonths,
  browserZone,
  dayParts,
  daysBetween,
  daysInMonth,
  formatDay,
  formatShortDay,
  formatWeekday,
  instantOf,
  monthOf,
  ownTime,
  today,
  weekdayOf,
} from '@/lib/dates';
import { doctorName } from '@/lib/names';

/** A wall-clock date and time at the clinic. */
export interface Slot {
  date: string;
  time: string;
  /** The instant, where the server has said it: to find it here takes some asking about the zone. */
  startsAt?: string;
}

export type Day = Slots['slots'][number];

/** How far the month grid turns; few doctors open their calendar for longer. */
const MONTHS_AHEAD = 12;

/** The first days that have free times. */
export function freeDays(slots: readonly Day[], count = 10): Day[] {
  return slots.filter((day) => day.times.length > 0).slice(0, count);
}

/**
 * The days without a free time among these, in one line: whole weekdays by their name, single days
 * by their date. Null when there is none.
 */
export function closedLine(slots: readonly Day[], todayThere: string | null): string | null {
  const closed = slots.filter((day) => day.times.length === 0);
  if (closed.length === 0) return null;
  const always = [0, 1, 2, 3, 4, 5, 6].filter((weekday) => {
    const days = slots.filter((day) => weekdayOf(day.date) === weekday);
    return days.length > 1 && days.every((day) => day.times.length === 0);
  });
  const single = closed.filter((day) => !always.includes(weekdayOf(day.date)));
  const names = single.map(({ date }) => (date === todayThere ? 'today' : formatShortDay(date)));
  // A dozen dates are a wall, not a line.
  const some = names.length > 4 ? [...names.slice(0, 3), `${names.length - 3} other days`] : names;
  const weekdays = always.map((weekday) => {
    const day = slots.find(({ date }) => weekdayOf(date) === weekday);
    return day ? `${formatWeekday(day.date)}s` : '';
  });
  const listed = new Intl.ListFormat('en-GB', { type: 'conjunction' });
  return `No free times: ${listed.format([...some, ...weekdays])}.`;
}

/** Today, where the clinic and the person agree on it; across the date line the word misleads. */
export function sharedToday(zone: string): string | null {
  const there = today(zone);
  return there === today() ? there : null;
}

/** "Today", "Tomorrow" or "Tue 8 Dec". */
export function nearDay(date: string, zone: string): string {
  const now = sharedToday(zone);
  const distance = now === null ? null : daysBetween(now, date);
  if (distance === 0) return 'Today';
  if (distance === 1) return 'Tomorrow';
  const { weekday, day } = dayParts(date);
  return `${weekday} ${day}`;
}

/** "5 times free". */
export function timesFree(count: number): string {
  if (count === 0) return 'no free times';
  return count === 1 ? '1 time free' : `${count} times free`;
}

/** A time on the person's own clock, "20:00" or "Wed 9 Dec, 02:00", when it shows another. */
export function ownClock({ date, time, startsAt }: Slot, zone: string): string | null {
  if (zone === browserZone()) return null;
  const own = ownTime(startsAt ?? instantOf(date, time, zone), zone);
  if (!own) return null;
  return own.date === date ? own.time : `${formatShortDay(own.date)}, ${own.time}`;
}

/** The name of a time for a screen reader: time, date, doctor, and one's own time if it differs. */
export function timeName(slot: Slot, doctor: { name: string; timeZone: string }): string {
  const own = ownClock(slot, doctor.timeZone);
  const name = `${slot.time}, ${formatDay(slot.date)}, ${doctorName(doctor.name)}`;
  return own ? `${name}, ${own} your time` : name;
}

/**
 * A doctor's free times of the next two months, or, when there are none, of the two months from the
 * next free time on. The time held under `holdId` counts as free.
 */
export function useFreeTimes(doctorId: string, holdId?: string) {
  const soon = useQuery(slotsQuery(doctorId, { days: WINDOW_DAYS, holdId }));
  const nextFree = soon.data?.nextFree;
  const none = soon.data?.slots.every((day) => day.times.length === 0) ?? false;
  const from = none ? nextFree?.date : undefined;
  const later = useQuery({
    ...slotsQuery(doctorId, { from, days: WINDOW_DAYS, holdId }),
    enabled: from !== undefined,
  });
  const shown = from === undefined ? soon : later;
  return {
    slots: shown.data?.slots,
    /** Undefined while it is not known, null when there is none. */
    nextFree,
    /** The zone of the doctor's clock. */
    zone: soon.data?.timeZone,
    error: shown.error,
    failed: shown.isLoadingError,
    retrying: shown.isFetching,
    retry: () => void shown.refetch(),
  };
}

/** The days of one month, asked for only when it is named. */
export function useMonth(
  doctorId: string,
  month: string | null,
  holdId?: string,
): Day[] | undefined {
  const range = month ? { from: `${month}-01`, days: daysInMonth(month) } : {};
  const { data } = useQuery({
    ...slotsQuery(doctorId, { ...range, holdId }),
    enabled: month !== null,
  });
  return month ? data?.slots : undefined;
}

/** The months that the grid can show. */
export function monthRange(zone: string): { first: string; last: string } {
  const first = monthOf(today(zone));
  return { first, last: addMonths(first, MONTHS_AHEAD) };
}

/** Tell whether these days, without gaps, hold a date. */
export function covers(slots: readonly Day[], date: string): boolean {
  const [first] = slots;
  if (!first) return false;
  const at = daysBetween(first.date, date);
  return at >= 0 && at < slots.length;
}

/** Tell whether a time is free; null when these days don't say. */
export function isFree(slots: readonly Day[], { date, time }: Slot): boolean | null {
  const day = slots.find((each) => each.date === date);
  return day ? day.times.includes(time) : null;
}
