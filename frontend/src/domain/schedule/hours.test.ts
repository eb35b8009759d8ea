import { describe, expect, test } from 'vitest';
import type { Interval, Week } from '@/api/types';
import { setFormatLocale } from '@/lib/locale';
import {
  appointmentStarts,
  checkHours,
  formatMinute,
  hoursText,
  nextInterval,
  normalizeTime,
  paintDay,
  paintWeek,
  parseMinute,
} from './hours';

const hours = (...pairs: [string, string][]): Interval[] =>
  pairs.map(([start, end]) => ({ start, end }));
const at = (time: string) => parseMinute(time) as number;
const span = (start: string, end: string): [number, number] => [at(start), at(end)];
const none: Week = {
  monday: [],
  tuesday: [],
  wednesday: [],
  thursday: [],
  friday: [],
  saturday: [],
  sunday: [],
};

test('converts between times and minutes', () => {
  expect(parseMinute('00:00')).toBe(0);
  expect(parseMinute('24:00')).toBe(1440);
  expect(parseMinute('24:30')).toBeNull();
  expect(parseMinute('')).toBeNull();
  expect(formatMinute(1440)).toBe('24:00');
});

test.each([
  ['9', '09:00'],
  ['930', '09:30'],
  ['9.30', '09:30'],
  ['24', '24:00'],
  ['0930', '09:30'],
  ['9:75', '9:75'],
  ['noon', 'noon'],
  ['', ''],
  ['2:30 PM', '14:30'],
  ['9 a.m.', '09:00'],
  ['12am', '00:00'],
  ['13 pm', '13 pm'],
])('normalizes "%s" to "%s"', (typed, meant) => {
  expect(normalizeTime(typed)).toBe(meant);
});

describe('painting a day', () => {
  test.each([
    ['an empty day', [], span('09:00', '09:30'), hours(['09:00', '09:30'])],
    [
      'beside an interval',
      hours(['09:00', '10:00']),
      span('10:00', '10:30'),
      hours(['09:00', '10:30']),
    ],
    [
      'a gap between two',
      hours(['09:00', '12:00'], ['13:00', '17:00']),
      span('12:00', '13:00'),
      hours(['09:00', '17:00']),
    ],
    [
      'what is open already',
      hours(['09:00', '17:00']),
      span('10:00', '11:00'),
      hours(['09:00', '17:00']),
    ],
    [
      'before all',
      hours(['09:00', '10:00']),
      span('07:00', '08:00'),
      hours(['07:00', '08:00'], ['09:00', '10:00']),
    ],
    ['to midnight', [], span('23:30', '24:00'), hours(['23:30', '24:00'])],
  ])('opens %s', (_, before, painted, after) => {
    expect(paintDay(before, painted, true)).toEqual(after);
  });

  test.each([
    [
      'the middle',
      hours(['09:00', '17:00']),
      span('12:00', '13:00'),
      hours(['09:00', '12:00'], ['13:00', '17:00']),
    ],
    ['the start', hours(['09:00', '17:00']), span('08:00', '10:00'), hours(['10:00', '17:00'])],
    ['all', hours(['09:00', '12:00'], ['13:00', '17:00']), span('00:00', '24:00'), []],
    ['odd minutes', hours(['09:10', '12:50']), span('12:30', '13:00'), hours(['09:10', '12:30'])],
  ])('closes %s', (_, before, painted, after) => {
    expect(paintDay(before, painted, false)).toEqual(after);
  });

  test('leaves other intervals unchanged, even adjacent ones', () => {
    const touching = hours(['09:00', '12:00'], ['12:00', '15:00']);
    expect(paintDay(touching, span('18:00', '19:00'), true)).toEqual([
      ...touching,
      ...hours(['18:00', '19:00']),
    ]);
  });

  test('keeps incomplete intervals', () => {
    const typing = { start: '18:00', end: '' };
    expect(paintDay([typing], span('09:00', '10:00'), true)).toEqual([
      ...hours(['09:00', '10:00']),
      typing,
    ]);
  });

  test('can be reversed', () => {
    const before = hours(['09:00', '12:00'], ['13:00', '17:00']);
    const opened = paintDay(before, span('19:00', '20:00'), true);
    expect(paintDay(opened, span('19:00', '20:00'), false)).toEqual(before);
  });
});

test('fills the rectangle between two cells, from any corner', () => {
  const painted = paintWeek(
    none,
    { column: 2, minute: at('11:30') },
    { column: 0, minute: at('09:00') },
    true,
  );
  expect(painted).toEqual({
    ...none,
    monday: hours(['09:00', '12:00']),
    tuesday: hours(['09:00', '12:00']),
    wednesday: hours(['09:00', '12:00']),
  });
  expect(
    paintWeek(
      painted,
      { column: 0, minute: at('09:00') },
      { column: 2, minute: at('11:30') },
      false,
    ),
  ).toEqual(none);
});

test('paints the days between two columns in the order of the locale', () => {
  setFormatLocale('en-US');
  const [start, end] = [at('09:00'), at('11:30')];
  expect(paintWeek(none, { column: 0, minute: start }, { column: 1, minute: end }, true)).toEqual({
    ...none,
    sunday: hours(['09:00', '12:00']),
    monday: hours(['09:00', '12:00']),
  });
});

test('formats hours as the locale does', () => {
  setFormatLocale('en-US');
  expect(hoursText(hours(['09:00', '13:00'])).replaceAll('\u202f', ' ')).toBe('9:00 AM to 1:00 PM');
});

test('starts appointments at each interval, spaced by duration and buffer', () => {
  expect(appointmentStarts(hours(['09:00', '11:00'], ['13:00', '14:00']), 30, 10)).toEqual([
    '09:00',
    '09:40',
    '10:20',
    '13:00',
  ]);
  // The buffer may run over the end, the appointment may not.
  expect(appointmentStarts(hours(['09:00', '10:00']), 60, 15)).toEqual(['09:00']);
  expect(appointmentStarts(hours(['09:00', '09:50']), 60, 0)).toEqual([]);
  expect(appointmentStarts(hours(['09:00', '10:00']), 0, 0)).toEqual([]);
});

test('reports errors under the API’s field names', () => {
  expect(checkHours(hours(['09:00', '08:00'], ['', '10:00']), 'weeklyHours.monday')).toEqual({
    'weeklyHours.monday.1.start': 'Enter a start time, like 09:00.',
  });
  expect(checkHours(hours(['09:00', '11:00'], ['10:00', '12:00']), 'x')).toEqual({
    x: 'These hours overlap.',
  });
  expect(checkHours(hours(['09:00', '10:00'], ['10:00', '12:00']), 'x')).toEqual({});
});

test('puts an end before the start on the next day, except for blocked time', () => {
  const night = hours(['20:00', '03:00']);
  expect(checkHours(night, 'x')).toEqual({});
  expect(checkHours(night, 'x', { onOneDay: true })).toEqual({
    'x.0.end': 'The end must be after the start.',
  });
  expect(checkHours(hours(['24:00', '03:00']), 'x')).toEqual({
    'x.0.start': 'Enter a start time, like 09:00.',
  });
  expect(hoursText(night)).toBe('20:00 to 03:00 the next day');
  expect(appointmentStarts(night, 90, 0)).toEqual(['20:00', '21:30', '23:00', '00:30']);
  expect(paintDay(night, span('22:00', '23:00'), false)).toEqual(
    hours(['20:00', '22:00'], ['23:00', '03:00']),
  );
  expect(paintDay(night, span('19:00', '24:00'), false)).toEqual([]);
  expect(paintDay(night, span('19:00', '20:00'), true)).toEqual(hours(['19:00', '03:00']));
});

test('adds an interval after the last one', () => {
  expect(nextInterval([])).toEqual({ start: '09:00', end: '17:00' });
  expect(nextInterval(hours(['09:00', '13:00']))).toEqual({ start: '14:00', end: '18:00' });
  expect(nextInterval(hours(['09:00', '22:00']))).toEqual({ start: '23:00', end: '24:00' });
  expect(nextInterval(hours(['09:00', '24:00']))).toEqual({ start: '', end: '' });
});
