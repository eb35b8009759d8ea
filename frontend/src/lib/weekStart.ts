import { weekdayOf } from './dates';
import { perLocale } from './locale';
import { WEEKDAYS } from './options';

const SUNDAY = 6;
const SATURDAY = 5;
/** Regions whose week does not start on Monday (CLDR); not all browsers have `getWeekInfo`. */
const WEEK_STARTS: Record<string, number> = {
  ...Object.fromEntries(
    ['BR', 'CA', 'IL', 'IN', 'JP', 'MX', 'SA', 'US'].map((each) => [each, SUNDAY]),
  ),
  ...Object.fromEntries(['AE', 'DZ', 'EG', 'IQ', 'JO', 'SY'].map((each) => [each, SATURDAY])),
};

/** Return the first day of the week: 0 for Monday to 6 for Sunday. */
export const weekStart = perLocale((locale) => {
  const { region } = new Intl.Locale(locale).maximize();
  return WEEK_STARTS[region ?? ''] ?? 0;
});

/** Return the weekdays in the order in which the reader's week has them. */
export function orderedWeekdays(): (typeof WEEKDAYS)[number][] {
  const start = weekStart();
  return [...WEEKDAYS.slice(start), ...WEEKDAYS.slice(0, start)];
}

/** Return the number of days from the start of a date's week to the date. */
export function daysIntoWeek(date: string): number {
  return (weekdayOf(date) - weekStart() + 7) % 7;
}
