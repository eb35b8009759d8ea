import { describe, expect, it, vi } from 'vitest';
import * as dates from './dates';

describe('isDate', () => {
  it.each(['2026-02-28', '2024-02-29', '1900-01-01'])('accepts %s', (text) => {
    expect(dates.isDate(text)).toBe(true);
  });
  it.each(['2026-02-30', '2026-13-01', '2026-1-1', '', '--', 'yesterday', '2026-01-01T00:00'])(
    'refuses %j',
    (text) => {
      expect(dates.isDate(text)).toBe(false);
    },
  );
});

it('adds days across months and clock changes', () => {
  expect(dates.addDays('2026-03-28', 2)).toBe('2026-03-30');
  expect(dates.addDays('2026-01-01', -1)).toBe('2025-12-31');
  expect(dates.daysBetween('2026-10-20', '2026-11-20')).toBe(31);
});

it('computes age in whole years, never negative', () => {
  expect(dates.ageOn('1985-12-08', '2026-12-07')).toBe(40);
  expect(dates.ageOn('1985-12-08', '2026-12-08')).toBe(41);
  expect(dates.ageOn('2030-01-01', '2026-12-08')).toBe(0);
});

describe('formatting', () => {
  it('names the weekday, and the year only if it is not the current one', () => {
    vi.useFakeTimers({ now: new Date('2026-11-27T12:00:00Z') });
    try {
      expect(dates.formatDayTime('2026-12-08', '14:00')).toBe('Tuesday 8 December, 14:00');
      expect(dates.formatDay('2027-01-05')).toBe('Tuesday 5 January 2027');
      expect(dates.formatShortDay('2026-12-08')).toBe('Tue 8 Dec');
      expect(dates.formatNearDay('2026-11-27', 'UTC')).toBe('Today');
      expect(dates.formatNearDay('2026-11-28', 'UTC')).toBe('Tomorrow');
    } finally {
      vi.useRealTimers();
    }
  });

  it('formats relative times', () => {
    const now = new Date('2026-11-27T12:00:00Z');
    expect(dates.formatRelative('2026-11-27T11:59:40Z', now)).toBe('just now');
    expect(dates.formatRelative('2026-11-27T11:15:00Z', now)).toBe('45 minutes ago');
    expect(dates.formatRelative('2026-11-28T12:00:00Z', now)).toBe('tomorrow');
  });
});

describe('zones', () => {
  it('converts an instant to another time zone', () => {
    expect(dates.inZone('2026-12-08T02:30:00Z', 'America/New_York')).toEqual({
      date: '2026-12-07',
      time: '21:30',
    });
    expect(dates.inZone('2026-12-08T00:00:00Z', 'UTC').time).toBe('00:00');
  });

  it('labels a time zone by its city', () => {
    expect(dates.zoneLabel('America/Argentina/Buenos_Aires')).toBe('Buenos Aires time');
  });

  it('returns the user’s time only if it differs', () => {
    vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({
      timeZone: 'Europe/Berlin',
    } as Intl.ResolvedDateTimeFormatOptions);
    expect(dates.viewerClock('2026-12-08T14:00:00Z', 'Europe/Paris')).toBeNull();
    expect(dates.viewerClock('2026-12-08T14:00:00Z', 'America/New_York')).toEqual({
      date: '2026-12-08',
      time: '15:00',
    });
  });
});
