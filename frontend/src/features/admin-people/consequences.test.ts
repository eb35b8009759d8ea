import { expect, test } from 'vitest';
import { consequences } from './consequences';

const effects = (upcoming: number, messages: number) => ({ upcoming, messages, appointments: [] });

test('deleting says how many visits end, how many people hear of it, and that it is for good', () => {
  expect(consequences('delete', effects(3, 1))).toEqual([
    'The account ends at once; past visits and records stay with their names.',
    '3 upcoming visits are cancelled, and 1 person will be told.',
    'This cannot be undone.',
  ]);
});

test('stopping and revoking leave visits, of which nobody is told', () => {
  for (const act of ['deactivate', 'revoke'] as const) {
    const said = consequences(act, effects(1, 1));
    expect(said[1]).toMatch(/^1 upcoming visit stays booked, and waits for you/);
    expect(said[2]).toBe('The other side is told only of what you cancel there.');
  }
});

test('without visits ahead there is one sentence about that', () => {
  expect(consequences('activate', effects(0, 1))).toEqual([
    'They are told, and can sign in again.',
    'No visits are ahead.',
  ]);
});
