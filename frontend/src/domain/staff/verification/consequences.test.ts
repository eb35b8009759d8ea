import { expect, test } from 'vitest';
import { consequences } from './consequences';

const effects = (upcoming: number, messages: number) => ({ upcoming, messages, appointments: [] });

test('deleting says how many appointments end, how many people are notified, and that it is for good', () => {
  expect(consequences('delete', effects(3, 1))).toEqual([
    'The account ends immediately. Past appointments and records keep their names.',
    '3 upcoming appointments are cancelled, and we notify 1 person.',
    'This can’t be undone.',
  ]);
});

test('stopping and revoking keep appointments, and nobody is notified of them', () => {
  for (const act of ['deactivate', 'revoke'] as const) {
    const said = consequences(act, effects(1, 1));
    expect(said[1]).toMatch(/^1 upcoming appointment stays booked, and waits for you/);
    expect(said[2]).toBe('Patients are notified only when you cancel.');
  }
});

test('without upcoming appointments there is one sentence about that', () => {
  expect(consequences('activate', effects(0, 1))).toEqual([
    'They’ll be notified, and can sign in again.',
    'There are no upcoming appointments.',
  ]);
});
