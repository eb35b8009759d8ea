import { expect, it } from 'vitest';
import { countCancelled, formatMinutes, formatShare, minuteTickUnit, percentage } from './figures';

it.each([
  [null, 'Unknown'],
  [0, '0 mins'],
  [59, '59 mins'],
  [60, '1 hr'],
  [200, '3 hrs 20 mins'],
  [2879, '47 hrs 59 mins'],
  [3600, '2.5 days'],
])('formats %s minutes', (minutes, words) => {
  expect(formatMinutes(minutes)).toBe(words);
});

it('tells unknown values from zero', () => {
  expect(percentage(null, 100)).toBeNull();
  expect(percentage(10, null)).toBeNull();
  expect(percentage(10, 0)).toBeNull();
  expect(percentage(0, 10)).toBe(0);
  expect(formatShare(null)).toBe('Unknown');
  expect(formatShare(0)).toBe('0%');
});

it('counts every kind of cancellation', () => {
  const figures = {
    cancelledByPatient: 1,
    cancelledByDoctor: 20,
    cancelledByAdmin: 300,
    expired: 4000,
  };
  expect(countCancelled(figures)).toBe(4321);
});

it('uses round hours or days for axis ticks', () => {
  expect([90, 600, 5000].map(minuteTickUnit)).toEqual([1, 60, 1440]);
});
