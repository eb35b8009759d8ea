import { perLocale } from './locale';

const kilobytes = perLocale(
  (locale) =>
    new Intl.NumberFormat(locale, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 }),
);
const megabytes = perLocale(
  (locale) =>
    new Intl.NumberFormat(locale, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 }),
);

/** Format a file size: "340 kB", "2.4 MB". */
export function formatFileSize(bytes: number): string {
  return bytes >= 1_000_000
    ? megabytes().format(bytes / 1_000_000)
    : kilobytes().format(Math.max(1, bytes / 1000));
}
