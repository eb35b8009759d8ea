import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  formatDate,
  formatMonth,
  formatNearDay,
  formatShortDayTime,
  formatTime,
  formatTimeRange,
} from './dates';
import { chooseLocale, setFormatLocale } from './locale';
import { formatMoney } from './money';
import { weekStart } from './weekStart';

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
    expect(formatNearDay('2026-11-27', 'UTC')).toBe('Today');
  });
});
