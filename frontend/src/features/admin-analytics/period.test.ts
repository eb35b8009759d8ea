import { expect, it } from 'vitest';
import { lastDays, presetOf, readQuery } from './period';

const TODAY = '2026-11-28';
const read = (text: string) => readQuery(new URLSearchParams(text), TODAY);

it('shows the last thirty days unless asked for others', () => {
  expect(read('')).toEqual({
    from: '2026-10-30',
    to: TODAY,
    by: 'day',
    specialization: undefined,
    city: undefined,
  });
  expect(presetOf(read(''), TODAY)).toBe(30);
});

it('turns dates that are the wrong way round', () => {
  expect(read('from=2026-11-20&to=2026-11-10')).toMatchObject({
    from: '2026-11-10',
    to: '2026-11-20',
  });
});

it('goes by weeks where days would be more than the server draws', () => {
  expect(read('from=2025-11-28&to=2026-11-28&by=day').by).toBe('day');
  expect(read('from=2025-11-27&to=2026-11-28&by=day').by).toBe('week');
});

it('takes no notice of nonsense', () => {
  expect(read('from=2026-02-30&by=hour&specialization=Magic')).toEqual(read(''));
});

it('knows a preset by its dates alone', () => {
  expect(presetOf(lastDays(7, TODAY), TODAY)).toBe(7);
  expect(presetOf({ from: '2026-11-01', to: TODAY }, TODAY)).toBeUndefined();
  expect(presetOf({ from: '2026-11-21', to: '2026-11-27' }, TODAY)).toBeUndefined();
});
