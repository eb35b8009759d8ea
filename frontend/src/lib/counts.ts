const number = new Intl.NumberFormat('en-GB');

/** "1,234". */
export function formatCount(count: number): string {
  return number.format(count);
}

/** "1 appointment", "1,234 appointments". */
export function pluralize(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

interface Page {
  page: number;
  pageSize: number;
  count: number;
  countIsExact: boolean;
}

/** "21 to 40 of 1,000+": which rows of how many a page shows. */
export function formatPageRange(
  { page, pageSize, count, countIsExact }: Page,
  shown: number,
): string {
  const first = (page - 1) * pageSize + 1;
  const all = countIsExact ? formatCount(count) : `${formatCount(count)}+`;
  return `${formatCount(first)} to ${formatCount(first + shown - 1)} of ${all}`;
}
