import { expect, it } from 'vitest';
import { findPreset, lastDays, readQuery } from './period';

const TODAY = '2026-11-28';
const read = (text: string) => readQuery(new URLSearchParams(text), TODAY);

it('defaults to the last thirty days', () => {
  expect(read('')).toEqual({
    from: '2026-10-30',
    to: TODAY,
    by: 'day',
    specialization: undefined,
    city: undefined,
  });
  expect(findPreset(read(''), TODAY)).toBe(30);
});

it('swaps dates in the wrong order', () => {
  expect(read('from=2026-11-20&to=2026-11-10')).toMatchObject({
    from: '2026-11-10',
    to: '2026-11-20',
  });
});

it('uses weeks if there are too many days', () => {
  expect(read('from=2025-11-28&to=2026-11-28&by=day').by).toBe('day');
  expect(read('from=2025-11-27&to=2026-11-28&by=day').by).toBe('week');
});

it('ignores invalid values', () => {
  expect(read('from=2026-02-30&by=hour&specialization=Magic')).toEqual(read(''));
});

it('recognizes a preset by its dates', () => {
  expect(findPreset(lastDays(7, TODAY), TODAY)).toBe(7);
  expect(findPreset({ from: '2026-11-01', to: TODAY }, TODAY)).toBeUndefined();
  expect(findPreset({ from: '2026-11-21', to: '2026-11-27' }, TODAY)).toBeUndefined();
});
