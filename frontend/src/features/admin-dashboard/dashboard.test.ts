import { expect, test } from 'vitest';
import type { Appointment } from '@/api/types';
import { stableRows } from '@/domain/stableRows';
import { makeAppointment } from '@/testing/appointments';
import { comparisonText, queueText } from './texts';

test('compares a figure with the same hours a week earlier', () => {
  expect(comparisonText({ last24Hours: 5, weekBefore: 5 })).toBe('Same as a week earlier');
  expect(comparisonText({ last24Hours: 5, weekBefore: 3 })).toMatch(/^2 more .*\(3\)$/);
  expect(comparisonText({ last24Hours: 1, weekBefore: 1200 })).toMatch(/^1,199 fewer .*\(1,200\)$/);
});

test('reports waiting and failed messages', () => {
  expect(queueText({ waiting: 0, failed: 0 })).toBe('All sent');
  expect(queueText({ waiting: 1200, failed: 0 })).toBe('1,200 waiting to be sent');
  expect(queueText({ waiting: 1, failed: 2 })).toBe('2 failed, 1 waiting to be sent');
});

test('keeps rows changed on this page in place and removes other missing rows', () => {
  const [first, second] = [makeAppointment({ _id: 'a' }), makeAppointment({ _id: 'b' })];
  const cancelled = makeAppointment({ _id: 'a', status: 'cancelled' });
  const kept = new Map<string, Appointment>();
  stableRows(kept, [first, second], () => undefined);
  const placed = (id: string) => (id === 'a' ? cancelled : undefined);
  expect(stableRows(kept, [second], placed)).toEqual([cancelled, second]);
  expect(stableRows(kept, [], placed)).toEqual([cancelled]);
});
