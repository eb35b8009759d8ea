import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeAppointment } from '@/testing/appointments';
import { renderUi } from '@/testing/render';
import { PrintedRecord } from './PrintedRecord';

beforeEach(() => {
  vi.useFakeTimers();
  vi.setSystemTime('2026-12-09T12:00:00Z');
});
afterEach(() => vi.useRealTimers());

test('prints every date with its year and every time with its zone', () => {
  const appointment = {
    ...makeAppointment(),
    appointmentDate: '2026-12-08',
    appointmentTime: '14:00',
    timeZone: 'America/New_York',
    followUpDays: 14,
    record: { ...makeAppointment().record, version: 2, writtenAt: '2026-12-08T20:05:00Z' },
  };
  const { container } = renderUi(
    <PrintedRecord appointment={appointment} reader="patient" dateOfBirth="1985-03-27" />,
  );
  const text = container.textContent ?? '';
  expect(text).toContain('born 27 March 1985');
  expect(text).toContain('Tuesday 8 December 2026, 14:00 (New York time)');
  expect(text).toContain('Come back in 2 weeks, around Tuesday 22 December 2026.');
  expect(text).toContain('Written Tuesday 8 December 2026, 15:05 (New York time), version 2.');
  expect(text).not.toContain('America/');
  expect(text.replaceAll('December 2026', '')).not.toContain('December');
});
