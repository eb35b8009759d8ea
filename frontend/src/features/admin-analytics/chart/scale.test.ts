import { describe, expect, it } from 'vitest';
import { axisTicks, indexAfterKey, labelIndexes } from './scale';

describe('axis ticks', () => {
  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [10, [0, 5, 10]],
    [25, [0, 10, 20, 30]],
    [190, [0, 100, 200]],
  ])('reach %i in round steps', (most, ticks) => {
    expect(axisTicks(most)).toEqual(ticks);
  });

  it('are few whole numbers that cover any count', () => {
    for (let most = 0; most <= 5000; most += 7) {
      const ticks = axisTicks(most);
      expect(ticks.every(Number.isInteger)).toBe(true);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(most);
      expect(ticks.length).toBeLessThanOrEqual(5);
    }
  });
});

it('labels as many steps as fit', () => {
  expect(labelIndexes(7, 700, 64)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(labelIndexes(30, 320, 64)).toEqual([0, 6, 12, 18, 24]);
  expect(labelIndexes(3, 20, 64)).toEqual([0]);
});

it('moves by keys within the chart', () => {
  expect(indexAfterKey('ArrowRight', 3, 10)).toBe(4);
  expect(indexAfterKey('ArrowRight', 9, 10)).toBe(9);
  expect(indexAfterKey('ArrowLeft', 0, 10)).toBe(0);
  expect(indexAfterKey('PageUp', 1, 10)).toBe(8);
  expect(indexAfterKey('Home', 5, 10)).toBe(0);
  expect(indexAfterKey('End', 5, 10)).toBe(9);
  expect(indexAfterKey('Tab', 5, 10)).toBeUndefined();
});
