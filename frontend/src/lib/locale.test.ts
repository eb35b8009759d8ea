import { afterEach, describe, expect, it, vi } from 'vitest';
import { formatCount, formatPercent } from './counts';
import {
  formatDate,
  formatLogTime,
  formatMonth,
  formatNearDay,
  formatShortDayTime,
  formatTime,
  formatTimeRange,
} from './dates';
import { formatFileSize } from './fileSize';
import { formatList } from './formatList';
import { chooseLocale, setFormatLocale } from './locale';
import { formatMoney } from './money';
import { daysIntoWeek, orderedWeekdays, weekStart } from './weekStart';

/** Intl's narrow spaces, which look like others. */
const plain = (text: string) => text.replace(/[\u2009\u202f\u00a0]/g, ' ');

describe('the locale of formats', () => {
  it.each([
    ['en', ['de-AT', 'en-GB', 'en-US'], 'en-GB'],
    ['en', ['en', 'de-DE'], 'en-US'],
    ['de', ['en-GB', 'de-AT'], 'de-AT'],
    ['de', ['en-GB'], 'de-DE'],
    ['ar', ['ar'], 'ar-EG'],
    ['pseudo', ['en-GB'], 'en-US'],
    ['de', ['de-1996', 'de-Latn-CH'], 'de-Latn-CH'],
    ['es', ['en-GB'], 'es'],
  ])('of %s with %j is %s', (language, preferred, locale) => {
    expect(chooseLocale(language, preferred)).toBe(locale);
  });
});

describe('formats', () => {
  afterEach(() => setFormatLocale('en-GB'));

  it.each([
    [
      'en-US',
      'Tue, Dec 8, 2:00 PM',
      '2:00 – 2:30 PM',
      '4:00 AM',
      'December 8, 2026',
      'December 2026',
      '$99.50',
      6,
    ],
    [
      'en-GB',
      'Tue 8 Dec, 14:00',
      '14:00–14:30',
      '04:00',
      '8 December 2026',
      'December 2026',
      '$99.50',
      0,
    ],
    [
      'de-DE',
      'Di., 8. Dez., 14:00',
      '14:00–14:30 Uhr',
      '04:00',
      '8. Dezember 2026',
      'Dezember 2026',
      '99,50 $',
      0,
    ],
    [
      'ar-EG',
      'الثلاثاء، ٨ ديسمبر, ٢:٠٠ م',
      '٢:٠٠–٢:٣٠ م',
      '٤:٠٠ ص',
      '٨ ديسمبر ٢٠٢٦',
      'ديسمبر ٢٠٢٦',
      '\u200f٩٩٫٥٠ US$',
      5,
    ],
  ])('of %s', (locale, dayTime, range, morning, date, month, money, firstDay) => {
    vi.useFakeTimers({ now: new Date('2026-11-27T12:00:00Z') });
    setFormatLocale(locale);
    expect(plain(formatShortDayTime('2026-12-08', '14:00'))).toBe(dayTime);
    expect(plain(formatTimeRange('14:00', '14:30'))).toBe(range);
    // Full hours, too.
    expect(plain(formatTime('04:00'))).toBe(morning);
    expect(formatDate('2026-12-08')).toBe(date);
    expect(formatMonth('2026-12-08')).toBe(month);
    expect(plain(formatMoney(99.5, 'USD'))).toBe(money);
    expect(weekStart()).toBe(firstDay);
    // What somebody is still typing.
    expect(formatTime('9:')).toBe('9:');
    expect(formatNearDay('2026-11-27', 'UTC')).toBe('Today');
  });

  it.each([
    [
      'en-US',
      '12:00 AM',
      '8:00 PM – 12:00 AM',
      'Tue, Dec 8, 2:00:05 PM',
      '1,234',
      '45%',
      '2.4 MB',
      'A, B, and C',
    ],
    [
      'en-GB',
      '24:00',
      '20:00 – 24:00',
      'Tue 8 Dec, 14:00:05',
      '1,234',
      '45%',
      '2.4 MB',
      'A, B and C',
    ],
    [
      'de-DE',
      '24:00',
      '20:00 – 24:00',
      'Di., 8. Dez., 14:00:05',
      '1.234',
      '45 %',
      '2,4 MB',
      'A, B und C',
    ],
  ])(
    'of the end of a day, numbers and lists in %s',
    (locale, end, range, seconds, count, percent, size, list) => {
      vi.useFakeTimers({ now: new Date('2026-11-27T12:00:00Z') });
      setFormatLocale(locale);
      expect(plain(formatTime('24:00'))).toBe(end);
      expect(plain(formatTimeRange('20:00', '24:00'))).toBe(range);
      expect(plain(formatLogTime('2026-12-08T14:00:05Z'))).toBe(seconds);
      expect(formatCount(1234)).toBe(count);
      expect(plain(formatPercent(45))).toBe(percent);
      expect(plain(formatFileSize(2_400_000))).toBe(size);
      expect(formatList(['A', 'B', 'C'])).toBe(list);
    },
  );

  it.each([
    ['en-GB', 'monday', 1],
    ['en-US', 'sunday', 2],
    ['ar-EG', 'saturday', 3],
  ])('of weeks in %s, which begin on %s', (locale, first, days) => {
    setFormatLocale(locale);
    expect(orderedWeekdays()[0]).toBe(first);
    expect(new Set(orderedWeekdays()).size).toBe(7);
    // A Tuesday.
    expect(daysIntoWeek('2026-12-08')).toBe(days);
  });
});
