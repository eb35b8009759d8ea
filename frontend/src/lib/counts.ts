import { t } from '@lingui/core/macro';
import { perLocale } from './locale';

const countFormatter = perLocale((locale) => new Intl.NumberFormat(locale));
const percentFormatter = perLocale((locale) => new Intl.NumberFormat(locale, { style: 'percent' }));

/** "1,234". */
export function formatCount(count: number): string {
  return countFormatter().format(count);
}

/** Format a percentage: "45%". */
export function formatPercent(percent: number): string {
  return percentFormatter().format(percent / 100);
}

interface Page {
  page: number;
  pageSize: number;
  count: number;
  countIsExact: boolean;
}

/** Format the range of a page: "21 to 40 of 1,000+". */
export function formatPageRange(
  { page, pageSize, count, countIsExact }: Page,
  rowCount: number,
): string {
  const start = (page - 1) * pageSize + 1;
  const first = formatCount(start);
  const last = formatCount(start + rowCount - 1);
  const total = formatCount(count);
  return countIsExact ? t`${first} to ${last} of ${total}` : t`${first} to ${last} of ${total}+`;
}
