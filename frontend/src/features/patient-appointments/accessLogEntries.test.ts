import { expect, test } from 'vitest';
import type { Reader } from '@/api/types';
import { accessLogText, groupByDay } from './accessLogEntries';

const ZONE = 'America/New_York';
const reader = (changes: Partial<Reader> = {}): Reader => ({
  name: 'Ana Ruiz',
  role: 'doctor',
  at: '2026-12-08T19:02:00Z',
  what: 'visit',
  times: 1,
  ...changes,
});

test.each([
  [reader(), 'Dr. Ana Ruiz opened this appointment at 14:02'],
  [reader({ times: 3 }), 'Dr. Ana Ruiz opened this appointment, 3 times, last at 14:02'],
  [
    reader({ name: 'Ingrid Admin', role: 'admin', what: 'staff' }),
    'Ingrid Admin (staff) opened it with special permission at 14:02',
  ],
  [reader({ what: 'prescription' }), 'Dr. Ana Ruiz downloaded the prescription at 14:02'],
])('describes an access log entry', (read, sentence) => {
  expect(accessLogText(read, ZONE)).toBe(sentence);
});

test('groups access log entries by day in the clinic’s time zone', () => {
  const late = reader({ at: '2026-12-09T03:00:00Z' });
  const next = reader({ at: '2026-12-09T15:00:00Z' });
  expect(groupByDay([next, late, reader()], ZONE)).toEqual([
    { date: '2026-12-09', readers: [next] },
    { date: '2026-12-08', readers: [late, reader()] },
  ]);
});
