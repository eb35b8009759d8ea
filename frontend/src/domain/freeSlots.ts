import { plural, t } from '@lingui/core/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { SLOT_WINDOW_DAYS } from '@/api/prefetch';
import { slotsQuery } from '@/api/queries';
import type { Slots } from '@/api/types';
import {
  addDays,
  browserZone,
  daysBetween,
  daysInMonth,
  formatDay,
  formatShortDayTime,
  formatShortDayWithoutYear,
  formatTime,
  instantOf,
  monthOf,
  today,
  viewerClock,
} from '@/lib/dates';
import { doctorName } from '@/lib/names';

/** A wall-clock date and time at the clinic. */
export interface Slot {
  date: string;
  time: string;
  /** The instant, if the server sent it; computing it here is slow. */
  startsAt?: string;
}

export type Day = Slots['slots'][number];

/** The first days that have free times. */
export function freeDays(slots: readonly Day[], count = 10): Day[] {
  return slots.filter((day) => day.times.length > 0).slice(0, count);
}

/** Return today's date if it is the same for clinic and user, else null. */
export function sharedToday(zone: string): string | null {
  const there = today(zone);
  return there === today() ? there : null;
}

/** "Today", "Tomorrow" or "Tue 8 Dec". */
export function nearDayLabel(date: string, zone: string): string {
  const now = sharedToday(zone);
  const distance = now === null ? null : daysBetween(now, date);
  if (distance === 0) return t`Today`;
  if (distance === 1) return t`Tomorrow`;
  return formatShortDayWithoutYear(date);
}

/** "5 openings". */
export function freeSlotCount(count: number): string {
  return plural(count, { 0: 'no openings', one: '# opening', other: '# openings' });
}

/** A time in the user's own time zone, such as "20:00" or "Wed 9 Dec, 02:00", if it differs. */
export function viewerTime({ date, time, startsAt }: Slot, zone: string): string | null {
  if (zone === browserZone()) return null;
  const own = viewerClock(startsAt ?? instantOf(date, time, zone), zone);
  if (!own) return null;
  return own.date === date ? formatTime(own.time) : formatShortDayTime(own.date, own.time);
}

/**
 * The accessible name of a tile: its visible text first, for voice control (WCAG 2.5.3), then date
 * and doctor. `before` is the visible text before the time.
 */
export function slotLabel(
  slot: Slot,
  doctor: { name: string; timeZone: string },
  prefix = '',
): string {
  const own = viewerTime(slot, doctor.timeZone);
  const visible = [prefix, formatTime(slot.time), own && t`${own} your time`]
    .filter(Boolean)
    .join(' ');
  const day = formatDay(slot.date);
  const name = doctorName(doctor.name);
  return t`${visible}, ${day}, ${name}`;
}

/**
 * A doctor's free times of the next two months or, if there are none, of the two months after the
 * next free time. The time held under `holdId` counts as free.
 */
export function useFreeSlots(doctorId: string, holdId?: string) {
  const soon = useQuery(slotsQuery(doctorId, { days: SLOT_WINDOW_DAYS, holdId }));
  const nextFree = soon.data?.nextFree;
  const none = soon.data?.slots.every((day) => day.times.length === 0) ?? false;
  const from = none ? nextFree?.date : undefined;
  const later = useQuery({
    ...slotsQuery(doctorId, { from, days: SLOT_WINDOW_DAYS, holdId }),
    enabled: from !== undefined,
  });
  const shown = from === undefined ? soon : later;
  return {
    slots: shown.data?.slots,
    /** Undefined while loading; null if there is none. */
    nextFree,
    /** The doctor's time zone. */
    zone: soon.data?.timeZone,
    /** The last bookable day. */
    lastDay: soon.data?.lastDay,
    error: shown.error,
    hasFailed: shown.isLoadingError,
    isRetrying: shown.isFetching,
    retry: () => void shown.refetch(),
  };
}

/** Return the days of a month; loads nothing without a month. */
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

/** The months with bookable days, for the month grid. */
export function monthRange(zone: string, lastDay: string): { first: string; last: string } {
  return { first: monthOf(today(zone)), last: monthOf(lastDay) };
}

/**
 * Return a function that finds the first free day from a date; it resolves to null if there is
 * none.
 */
export function useNextFreeDay(doctorId: string, lastDay: string, holdId?: string) {
  const client = useQueryClient();
  return async (from: string): Promise<string | null> => {
    for (let first = from; first <= lastDay; first = addDays(first, SLOT_WINDOW_DAYS)) {
      const query = slotsQuery(doctorId, { from: first, days: SLOT_WINDOW_DAYS, holdId });
      const [day] = freeDays((await client.fetchQuery(query)).slots, 1);
      if (day) return day.date;
    }
    return null;
  };
}

/** Return the date on which a day beyond the booking horizon becomes bookable. */
export function openingDate(date: string, lastDay: string, zone: string): string {
  return addDays(today(zone), daysBetween(lastDay, date));
}

/** Return whether these consecutive days include a date. */
export function includesDate(slots: readonly Day[], date: string): boolean {
  const [first] = slots;
  if (!first) return false;
  const at = daysBetween(first.date, date);
  return at >= 0 && at < slots.length;
}

/** Return whether a time is free; null if its day is not loaded. */
export function isFree(slots: readonly Day[], { date, time }: Slot): boolean | null {
  const day = slots.find((each) => each.date === date);
  return day ? day.times.includes(time) : null;
}
