import { expect, test } from 'vitest';
import { checkDaysOff, groupOverrides, type Override, withDaysOff, withOverride } from './draft';

const off = (date: string, reason = ''): Override => ({ date, hours: [], reason });
const MORNING = [{ start: '09:00', end: '12:00' }];

test('creates one override per day off, across months', () => {
  expect(withDaysOff([], '2026-12-30', '2027-01-02', 'Holiday')).toEqual([
    off('2026-12-30', 'Holiday'),
    off('2026-12-31', 'Holiday'),
    off('2027-01-01', 'Holiday'),
    off('2027-01-02', 'Holiday'),
  ]);
});

test('replaces the overrides of its days and keeps the others in order', () => {
  const before = [
    off('2026-12-01'),
    { date: '2026-12-05', hours: MORNING, reason: '' },
    off('2026-12-20'),
  ];
  expect(withDaysOff(before, '2026-12-05', '2026-12-06', 'Away')).toEqual([
    off('2026-12-01'),
    off('2026-12-05', 'Away'),
    off('2026-12-06', 'Away'),
    off('2026-12-20'),
  ]);
});

test('checks the dates', () => {
  const today = '2026-12-01';
  expect(checkDaysOff([], '2026-12-02', '2026-12-02', today)).toEqual({});
  expect(checkDaysOff([], '', '2026-12-02', today).from).toBeTruthy();
  expect(checkDaysOff([], '2026-11-30', '2026-12-02', today).from).toBeTruthy();
  expect(checkDaysOff([], '2026-12-03', '2026-12-02', today).to).toBeTruthy();
  expect(checkDaysOff([], '2026-12-02', '2028-12-02', today).to).toBeTruthy();
});

test('groups consecutive days off with the same reason', () => {
  const overrides = [
    off('2026-12-01', 'Away'),
    off('2026-12-02', 'Away'),
    off('2026-12-03', 'Ill'),
    { date: '2026-12-04', hours: MORNING, reason: 'Ill' },
    off('2026-12-06', 'Ill'),
  ];
  expect(groupOverrides(overrides).map(({ from, to, indexes }) => [from, to, indexes])).toEqual([
    ['2026-12-01', '2026-12-02', [0, 1]],
    ['2026-12-03', '2026-12-03', [2]],
    ['2026-12-04', '2026-12-04', [3]],
    ['2026-12-06', '2026-12-06', [4]],
  ]);
});

test('adds, changes and removes the override of a date', () => {
  const some = withOverride([off('2026-12-09')], '2026-12-05', { hours: MORNING, reason: 'Late' });
  expect(some).toEqual([{ date: '2026-12-05', hours: MORNING, reason: 'Late' }, off('2026-12-09')]);
  expect(withOverride(some, '2026-12-05', { hours: [], reason: '' })).toEqual([
    off('2026-12-05'),
    off('2026-12-09'),
  ]);
  expect(withOverride(some, '2026-12-05', null)).toEqual([off('2026-12-09')]);
});
