import { formatLocale } from './locale';

const SUNDAY = 6;
const SATURDAY = 5;
/** Regions whose week does not start on Monday (CLDR); not all browsers have `getWeekInfo`. */
const WEEK_STARTS: Record<string, number> = {
  ...Object.fromEntries(
    ['BR', 'CA', 'IL', 'IN', 'JP', 'MX', 'SA', 'US'].map((each) => [each, SUNDAY]),
  ),
  ...Object.fromEntries(['AE', 'DZ', 'EG', 'IQ', 'JO', 'SY'].map((each) => [each, SATURDAY])),
};

/** Return the first day of the week in a locale: 0 for Monday to 6 for Sunday. */
export function weekStart(locale: string = formatLocale()): number {
  const { region } = new Intl.Locale(locale).maximize();
  return WEEK_STARTS[region ?? ''] ?? 0;
}
