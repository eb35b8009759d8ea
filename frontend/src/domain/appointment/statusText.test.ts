import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Proposal } from '@/api/types';
import * as dates from '@/lib/dates';
import { makeAppointment } from '@/testing/appointments';
import { deadline, isFuture, isUpcoming, statusText } from './statusText';

// The appointment of `aVisit`: Tuesday 8 December 2026, 14:00 to 15:00 in New York (UTC-5).
const at = (instant: string) => new Date(instant).getTime();
const DAYS_BEFORE = at('2026-12-03T12:00:00Z');
const UNDER_WAY = at('2026-12-08T19:30:00Z');
const AFTER = at('2026-12-08T20:00:00Z');

/** Set the time zone of the reader. */
function readIn(zone: string) {
  vi.spyOn(dates, 'viewerClock').mockImplementation((instant, clinic) => {
    const there = dates.inZone(instant, zone);
    const here = dates.inZone(instant, clinic);
    return there.date === here.date && there.time === here.time ? null : there;
  });
}

beforeEach(() => {
  vi.useFakeTimers({ now: DAYS_BEFORE });
});

describe('a pending request', () => {
  const appointment = makeAppointment({ status: 'pending', respondBy: '2026-12-05T19:00:00Z' });

  test('names the doctor and the deadline for each reader', () => {
    readIn('America/New_York');
    expect(statusText(appointment, 'patient', DAYS_BEFORE)).toBe(
      'Not confirmed yet. If Dr. Ana Ruiz hasn’t replied by Saturday 5 December, 14:00, your request expires.',
    );
    expect(statusText(appointment, 'admin', DAYS_BEFORE)).toBe(
      'Waiting for Dr. Ana Ruiz to reply, by Saturday 5 December, 14:00 New York time',
    );
    expect(statusText(appointment, 'doctor', DAYS_BEFORE)).toBe(
      'Waiting for your reply, by Saturday 5 December, 14:00',
    );
  });

  test('waits for the patient if the doctor proposed another time', () => {
    readIn('America/New_York');
    const proposal: Proposal = {
      _id: 'proposal-1',
      proposedBy: 'doctor',
      appointmentDate: '2026-12-09',
      appointmentTime: '10:00',
      timeZone: 'America/New_York',
      startsAt: '2026-12-09T15:00:00Z',
      reason: '',
      endsAt: '2999-12-09T20:00:00Z',
      minutes: 60,
      expiresAt: '2026-12-05T12:00:00Z',
    };
    const asked = { ...appointment, proposal };
    expect(statusText(asked, 'patient', DAYS_BEFORE)).toBe('Please respond to the suggested time.');
    expect(statusText(asked, 'doctor', DAYS_BEFORE)).toBe(
      'Waiting for Amina Yusuf to accept Wednesday 9 December, 10:00, by Saturday 5 December, 07:00.',
    );
  });

  test('shows the deadline in the patient’s time zone, and in the clinic’s to doctors and admins', () => {
    readIn('Asia/Tokyo');
    expect(deadline(appointment, 'patient')).toBe('Sunday 6 December, 04:00 your time');
    expect(deadline(appointment, 'doctor')).toBe('Saturday 5 December, 14:00');
    expect(deadline(appointment, 'admin')).toBe('Saturday 5 December, 14:00 New York time');
  });

  test('names no deadline if there is none', () => {
    expect(deadline(makeAppointment({ respondBy: null }), 'patient')).toBeNull();
    expect(
      statusText(makeAppointment({ status: 'pending', respondBy: null }), 'patient', DAYS_BEFORE),
    ).toBe('Waiting for Dr. Ana Ruiz to reply.');
  });

  test('says so when the deadline has passed', () => {
    readIn('America/New_York');
    const late = at('2026-12-05T19:00:00Z');
    expect(statusText(appointment, 'patient', late)).toBe(
      'Dr. Ana Ruiz didn’t reply by Saturday 5 December, 14:00. You can cancel and choose another time.',
    );
    expect(statusText(appointment, 'doctor', late)).toBe(
      'Your reply was due by Saturday 5 December, 14:00.',
    );
  });

  test('says so when the appointment’s own time has passed', () => {
    expect(statusText(appointment, 'patient', AFTER)).toBe(
      'Dr. Ana Ruiz didn’t reply before the appointment was due to start.',
    );
    expect(statusText(appointment, 'doctor', AFTER)).toBe(
      'You didn’t reply before the appointment was due to start.',
    );
  });
});

describe('a confirmed appointment', () => {
  const appointment = makeAppointment({ status: 'confirmed' });

  test.each([
    ['2026-12-03T12:00:00Z', 'See you in 5 days.'],
    ['2026-12-07T12:00:00Z', 'See you tomorrow.'],
    // Still the 7th in New York, although the 8th in London.
    ['2026-12-08T04:59:00Z', 'See you tomorrow.'],
    ['2026-12-08T05:00:00Z', 'See you today.'],
    ['2026-12-08T19:00:00Z', 'In progress now.'],
    [
      '2026-12-08T20:00:00Z',
      'This appointment’s time has passed. Dr. Ana Ruiz hasn’t completed it yet.',
    ],
  ])('shows the patient at %s: %s', (now, sentence) => {
    expect(statusText(appointment, 'patient', at(now))).toBe(sentence);
  });

  test('reminds the doctor of an appointment that is over', () => {
    expect(statusText(appointment, 'doctor', DAYS_BEFORE)).toBe('In 5 days.');
    expect(statusText(appointment, 'doctor', AFTER)).toBe(
      'This appointment has ended. Complete it, or mark a no-show.',
    );
  });
});

test('does not tell a patient who can’t make it that they are expected', () => {
  const cancelRequest = { requestedAt: '2026-12-03T11:00:00Z', reason: '' };
  expect(statusText(makeAppointment({ cancelRequest }), 'patient', DAYS_BEFORE)).toBe(
    'You said you can’t make it. Your appointment stays booked until Dr. Ana Ruiz confirms the cancellation.',
  );
});

test.each([
  ['patient', 'Dr. Ana Ruiz declined this request.'],
  ['doctor', 'You declined this request.'],
  ['admin', 'Dr. Ana Ruiz declined this request.'],
] as const)('calls a declined request declined: %s', (reader, sentence) => {
  const declined = makeAppointment({ status: 'cancelled', cancelledBy: 'doctor', declined: true });
  expect(statusText(declined, reader)).toBe(sentence);
});

test('tells both sides about a missed appointment', () => {
  const missed = makeAppointment({ status: 'completed', attended: false });
  expect(statusText(missed, 'patient', AFTER)).toBe('You missed this appointment.');
  expect(statusText(missed, 'doctor', AFTER)).toBe('The patient didn’t come.');
});

test.each([
  ['patient', 'patient', 'You cancelled this appointment.'],
  ['doctor', 'patient', 'Dr. Ana Ruiz cancelled this appointment.'],
  ['admin', 'patient', 'The staff of Wellhour cancelled this appointment.'],
  ['system', 'patient', 'This appointment was cancelled automatically.'],
  [null, 'patient', 'This appointment was cancelled.'],
  ['patient', 'doctor', 'The patient cancelled this appointment.'],
  ['doctor', 'doctor', 'You cancelled this appointment.'],
  ['admin', 'admin', 'The staff of Wellhour cancelled this appointment.'],
] as const)('shows, when cancelled by %s, to a %s: %s', (cancelledBy, reader, sentence) => {
  expect(statusText(makeAppointment({ status: 'cancelled', cancelledBy }), reader)).toBe(sentence);
});

test('tells upcoming appointments from future ones', () => {
  const live = makeAppointment({ status: 'confirmed' });
  expect([isUpcoming(live, UNDER_WAY), isUpcoming(live, AFTER)]).toEqual([true, false]);
  expect(isUpcoming(makeAppointment({ status: 'cancelled' }), DAYS_BEFORE)).toBe(false);
  expect([isFuture(live, DAYS_BEFORE), isFuture(live, UNDER_WAY)]).toEqual([true, false]);
});
