import { isDate, today } from './dates';

/** The three boxes of a date that is typed. */
export const DATE_PARTS = ['day', 'month', 'year'] as const;
export type DatePart = (typeof DATE_PARTS)[number];

/** What `YYYY-MM-DD` holds, while it is typed: any part may be empty or wrong. */
export function splitDate(typed: string): Record<DatePart, string> {
  const [year = '', month = '', day = ''] = typed.split('-');
  return { day, month, year };
}

/** The box to mend first in a date that is none, or whose year lies ahead of a `birthday`; null where no one box is at fault. */
export function wrongPart(typed: string, birthday = false): DatePart | null {
  const { day, month, year } = splitDate(typed);
  if (!day && !month && !year) return null;
  if (!day) return 'day';
  if (!month) return 'month';
  if (!/^\d{4}$/.test(year)) return 'year';
  if (birthday && (year > today().slice(0, 4) || year < '1900')) return 'year';
  if (isDate(typed)) return null;
  return Number(month) < 1 || Number(month) > 12 ? 'month' : 'day';
}
