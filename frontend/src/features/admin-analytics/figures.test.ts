import { expect, it } from 'vitest';
import { cancelledOf, formatMinutes, formatShare, share, unitOfMinutes } from './figures';

it.each([
  [null, 'Not known'],
  [0, '0 min'],
  [59, '59 min'],
  [60, '1 h'],
  [200, '3 h 20 min'],
  [2879, '47 h 59 min'],
  [3600, '2.5 days'],
])('formats %s minutes', (minutes, words) => {
  expect(formatMinutes(minutes)).toBe(words);
});

it('tells unknown values from zero', () => {
  expect(share(null, 100)).toBeNull();
  expect(share(10, null)).toBeNull();
  expect(share(10, 0)).toBeNull();
  expect(share(0, 10)).toBe(0);
  expect(formatShare(null)).toBe('Not known');
  expect(formatShare(0)).toBe('0 %');
});

it('counts every kind of cancellation', () => {
  const figures = {
    cancelledByPatient: 1,
    cancelledByDoctor: 20,
    cancelledByAdmin: 300,
    expired: 4000,
  };
  expect(cancelledOf(figures)).toBe(4321);
});

it('uses round hours or days for axis ticks', () => {
  expect([90, 600, 5000].map(unitOfMinutes)).toEqual([1, 60, 1440]);
});
