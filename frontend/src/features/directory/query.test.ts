import { expect, it } from 'vitest';
import { countOf, isNarrowed, readQuery } from './query';

const read = (query: string) => readQuery(new URLSearchParams(query));

it('reads the address bar and leaves out what means nothing', () => {
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
  expect(isNarrowed(nothing)).toBe(false);
  expect(read(`search=${'x'.repeat(500)}`).search).toHaveLength(100);
});

it('counts up to where counting stops', () => {
  expect(countOf({ count: 0, countIsExact: true })).toBe('No doctors');
  expect(countOf({ count: 1, countIsExact: true })).toBe('1 doctor');
  expect(countOf({ count: 1000, countIsExact: false })).toBe('1,000+ doctors');
});
