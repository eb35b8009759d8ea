import { afterEach, expect, it, vi } from 'vitest';
import {
  availableByDate,
  doctorCountText,
  hasFilters,
  orderOptions,
  readQuery,
  spanLabel,
} from './query';

afterEach(() => {
  vi.useRealTimers();
});

const read = (query: string) => readQuery(new URLSearchParams(query));

it('reads the URL and ignores invalid values', () => {
  expect(
    read('search= heart &specialization=Cardiology&city=Boston&ordering=nextFree&page=3'),
  ).toEqual({
    search: 'heart',
    specialization: 'Cardiology',
    city: 'Boston',
    ordering: 'nextFree',
    page: 3,
  });
  const nothing = read('search=%20&specialization=Magic&ordering=shoe-size&page=-1');
  expect(Object.values(nothing).filter(Boolean)).toEqual([]);
  expect(hasFilters(nothing)).toBe(false);
  expect(read(`search=${'x'.repeat(500)}`).search).toHaveLength(100);
});

it('orders search results by relevance, and names that order', () => {
  const named = (query: string) =>
    orderOptions(read(query)).map(({ value, label }) => [value, label.message]);
  expect(named('')[0]).toEqual(['', 'Most experienced']);
  expect(named('search=heart').slice(0, 2)).toEqual([
    ['', 'Best match'],
    ['-experience', 'Most experienced'],
  ]);
  expect(read('search=heart&ordering=-experience').ordering).toBe('-experience');
  // Without words that is the server's own order.
  expect(read('ordering=-experience').ordering).toBeUndefined();
});

it('shows the count up to its limit', () => {
  expect(doctorCountText({ count: 0, countIsExact: true })).toBe('No doctors');
  expect(doctorCountText({ count: 1, countIsExact: true })).toBe('1 doctor');
  expect(doctorCountText({ count: 1000, countIsExact: false })).toBe('1,000+ doctors');
});

it('reads the availability filter as a relative range or a date', () => {
  vi.useFakeTimers({ now: new Date('2026-12-07T12:00:00Z') });
  expect(read('availableBy=3days').availableBy).toBe('3days');
  expect(hasFilters(read('availableBy=today'))).toBe(true);
  expect(read('availableBy=soon').availableBy).toBeUndefined();
  expect(read('availableBy=2026-12-06').availableBy).toBeUndefined();
  expect(read('availableBy=2026-12-09').availableBy).toBe('2026-12-09');
  expect([undefined, 'today', '3days', 'week', '2026-12-09'].map(availableByDate)).toEqual([
    undefined,
    '2026-12-07',
    '2026-12-10',
    '2026-12-14',
    '2026-12-09',
  ]);
  expect(spanLabel('week')).toBe('Available within a week');
  expect(spanLabel('2026-12-09')).toBe('Available by Wed 9 Dec');
});
