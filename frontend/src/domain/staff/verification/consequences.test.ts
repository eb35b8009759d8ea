import { expect, test } from 'vitest';
import { consequences } from './consequences';

const effects = (upcoming: number, messages: number) => ({ upcoming, messages, appointments: [] });

test('tells how many appointments are cancelled and people notified, and that deleting is permanent', () => {
  expect(consequences('delete', effects(3, 1))).toEqual([
    'The account ends immediately. Past appointments and records keep the name.',
    'We’ll cancel 3 upcoming appointments.',
    'We’ll notify 1 person.',
    'This can’t be undone.',
  ]);
});

test('tells that deactivating and revoking keep the appointments and notify nobody', () => {
  for (const act of ['deactivate', 'revoke'] as const) {
    const said = consequences(act, effects(1, 1));
    expect(said[1]).toMatch(/^1 upcoming appointment stays booked\. You’ll find it/);
    expect(said[2]).toBe('We notify patients only when you cancel.');
  }
});

test('says so if there are no upcoming appointments', () => {
  expect(consequences('activate', effects(0, 1))).toEqual([
    'They’ll be notified, and can sign in again.',
    'There are no upcoming appointments.',
  ]);
});
