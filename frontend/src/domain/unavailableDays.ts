import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { formatShortDay, weekdayOf } from '@/lib/dates';
import { formatList } from '@/lib/formatList';
import { weekStart } from '@/lib/weekStart';
import type { Day } from './freeSlots';

const WEEKDAYS = [
  msg`Mondays`,
  msg`Tuesdays`,
  msg`Wednesdays`,
  msg`Thursdays`,
  msg`Fridays`,
  msg`Saturdays`,
  msg`Sundays`,
];

/** More dates than this are counted instead of listed. */
const MAX_DATES_NAMED = 3;
/** With this many closed weekdays, name the open ones instead. */
const MANY_WEEKDAYS = 4;

/**
 * Describe the days without free times: whole weekdays by name, a few single days by date, more of
 * them as a number. Null if there are none.
 */
export function unavailableDaysText(
  slots: readonly Day[],
  clinicToday: string | null,
): string | null {
  const closed = slots.filter((day) => day.times.length === 0);
  if (closed.length === 0) return null;
  const weekdays = WEEKDAYS.flatMap((_, index) => {
    const weekday = (weekStart() + index) % 7;
    const name = WEEKDAYS[weekday] as MessageDescriptor;
    const days = slots.filter((day) => weekdayOf(day.date) === weekday);
    if (days.length === 0) return [];
    const isClosed = days.length > 1 && days.every((day) => day.times.length === 0);
    return [{ weekday, name: i18n._(name), isClosed }];
  });
  const always = weekdays.filter(({ isClosed }) => isClosed);
  const single = closed.filter(
    (day) => !always.some(({ weekday }) => weekday === weekdayOf(day.date)),
  );
  const dates = single.map(({ date }) =>
    date === clinicToday
      ? t({ message: 'today', context: 'in a list of days' })
      : formatShortDay(date),
  );
  if (always.length >= MANY_WEEKDAYS && always.length < weekdays.length) {
    const open = weekdays.filter(({ isClosed }) => !isClosed).map(({ name }) => name);
    const openDays = formatList(open);
    if (dates.length === 0) return t`Openings only on ${openDays}.`;
    const { length } = dates;
    const exceptions =
      length > MAX_DATES_NAMED
        ? plural(length, { one: '# day', other: '# days' })
        : formatList(dates);
    return t`Openings only on ${openDays}, except ${exceptions}.`;
  }
  const names = always.map(({ name }) => name);
  const shown = names.length > 0 ? names : dates.slice(0, MAX_DATES_NAMED);
  const rest = dates.length - (names.length > 0 ? 0 : MAX_DATES_NAMED);
  const full = formatList(
    dates.length > MAX_DATES_NAMED
      ? [...shown, plural(rest, { one: '# other day', other: '# other days' })]
      : [...dates, ...names],
  );
  return t`No openings: ${full}.`;
}
