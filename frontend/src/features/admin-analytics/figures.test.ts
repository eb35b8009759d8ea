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
])('writes %s minutes as a person would', (minutes, words) => {
  expect(formatMinutes(minutes)).toBe(words);
});

it('keeps what is not known apart from nothing', () => {
  expect(share(null, 100)).toBeNull();
  expect(share(10, null)).toBeNull();
  expect(share(10, 0)).toBeNull();
  expect(share(0, 10)).toBe(0);
  expect(formatShare(null)).toBe('Not known');
  expect(formatShare(0)).toBe('0 %');
});

it('counts every way in which an appointment is called off', () => {
  const figures = {
    cancelledByPatient: 1,
    cancelledByDoctor: 20,
    cancelledByAdmin: 300,
    expired: 4000,
  };
  expect(cancelledOf(figures)).toBe(4321);
});

it('puts round hours or days at the side of a chart', () => {
  expect([90, 600, 5000].map(unitOfMinutes)).toEqual([1, 60, 1440]);
});
