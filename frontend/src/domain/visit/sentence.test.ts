import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Proposal } from '@/api/types';
import * as dates from '@/lib/dates';
import { aVisit } from '@/testing/visits';
import { deadline, isAhead, isUpcoming, visitSentence } from './sentence';

// The visit of `aVisit`: Tuesday 8 December 2026, 14:00 to 15:00 in New York (UTC-5).
const at = (instant: string) => new Date(instant).getTime();
const DAYS_BEFORE = at('2026-12-03T12:00:00Z');
const UNDER_WAY = at('2026-12-08T19:30:00Z');
const AFTER = at('2026-12-08T20:00:00Z');

/** Put the reader's clock in a zone. */
function readIn(zone: string) {
  vi.spyOn(dates, 'ownTime').mockImplementation((instant, clinic) => {
    const there = dates.inZone(instant, zone);
    const here = dates.inZone(instant, clinic);
    return there.date === here.date && there.time === here.time ? null : there;
  });
}

beforeEach(() => {
  vi.useFakeTimers({ now: DAYS_BEFORE });
});

describe('a waiting request', () => {
  const visit = aVisit({ status: 'pending', respondBy: '2026-12-05T19:00:00Z' });

  test('names the doctor and the deadline, in the address of each reader', () => {
    readIn('America/New_York');
    expect(visitSentence(visit, 'patient', DAYS_BEFORE)).toBe(
      'Waiting for Dr. Ana Ruiz to answer, by Saturday 5 December, 14:00',
    );
    expect(visitSentence(visit, 'admin', DAYS_BEFORE)).toBe(
      'Waiting for Dr. Ana Ruiz to answer, by Saturday 5 December, 14:00 New York time',
    );
    expect(visitSentence(visit, 'doctor', DAYS_BEFORE)).toBe(
      'Waiting for your answer, by Saturday 5 December, 14:00',
    );
  });

  test('waits for the patient where the doctor proposes another time', () => {
    readIn('America/New_York');
    const proposal: Proposal = {
      _id: 'proposal-1',
      proposedBy: 'doctor',
      appointmentDate: '2026-12-09',
      appointmentTime: '10:00',
      timeZone: 'America/New_York',
      startsAt: '2026-12-09T15:00:00Z',
      reason: '',
      expiresAt: '2026-12-05T12:00:00Z',
    };
    const asked = { ...visit, proposal };
    expect(visitSentence(asked, 'patient', DAYS_BEFORE)).toBe(
      'Waiting for your answer to the other time.',
    );
    expect(visitSentence(asked, 'doctor', DAYS_BEFORE)).toBe(
      'Waiting for your answer, by Saturday 5 December, 14:00',
    );
  });

  test('gives a patient elsewhere the deadline on their own clock, and the desks the clinic’s', () => {
    readIn('Asia/Tokyo');
    expect(deadline(visit, 'patient')).toBe('Sunday 6 December, 04:00 your time');
    expect(deadline(visit, 'doctor')).toBe('Saturday 5 December, 14:00');
    expect(deadline(visit, 'admin')).toBe('Saturday 5 December, 14:00 New York time');
  });

  test('without a deadline names none', () => {
    expect(deadline(aVisit({ respondBy: null }), 'patient')).toBeNull();
    expect(
      visitSentence(aVisit({ status: 'pending', respondBy: null }), 'patient', DAYS_BEFORE),
    ).toBe('Waiting for Dr. Ana Ruiz to answer');
  });

  test('says so when the deadline has passed', () => {
    readIn('America/New_York');
    const late = at('2026-12-05T19:00:00Z');
    expect(visitSentence(visit, 'patient', late)).toBe(
      'Dr. Ana Ruiz has not answered by Saturday 5 December, 14:00. You can cancel and choose another time.',
    );
    expect(visitSentence(visit, 'doctor', late)).toBe(
      'Your answer was due by Saturday 5 December, 14:00.',
    );
  });

  test('says so when the visit’s own time has passed', () => {
    expect(visitSentence(visit, 'patient', AFTER)).toBe(
      'Dr. Ana Ruiz did not answer before the time of this visit.',
    );
    expect(visitSentence(visit, 'doctor', AFTER)).toBe(
      'You did not answer before the time of this visit.',
    );
  });
});

describe('a confirmed visit', () => {
  const visit = aVisit({ status: 'confirmed' });

  test.each([
    ['2026-12-03T12:00:00Z', 'Dr. Ana Ruiz expects you in 5 days.'],
    ['2026-12-07T12:00:00Z', 'Dr. Ana Ruiz expects you tomorrow.'],
    // Still the 7th in New York, although the 8th in London.
    ['2026-12-08T04:59:00Z', 'Dr. Ana Ruiz expects you tomorrow.'],
    ['2026-12-08T05:00:00Z', 'Dr. Ana Ruiz expects you today.'],
    ['2026-12-08T19:00:00Z', 'Under way now.'],
    [
      '2026-12-08T20:00:00Z',
      'The time of this visit has passed. Dr. Ana Ruiz has not closed it yet.',
    ],
  ])('at %s a patient reads: %s', (now, sentence) => {
    expect(visitSentence(visit, 'patient', at(now))).toBe(sentence);
  });

  test('a doctor is reminded of one that is over', () => {
    expect(visitSentence(visit, 'doctor', DAYS_BEFORE)).toBe('Takes place in 5 days.');
    expect(visitSentence(visit, 'doctor', AFTER)).toBe('This visit is over. Mark it as completed.');
  });
});

test.each([
  ['patient', 'patient', 'You cancelled this appointment.'],
  ['doctor', 'patient', 'Dr. Ana Ruiz cancelled this appointment.'],
  ['admin', 'patient', 'Wellhour’s staff cancelled this appointment.'],
  ['system', 'patient', 'This appointment was cancelled automatically.'],
  [null, 'patient', 'This appointment was cancelled.'],
  ['patient', 'doctor', 'The patient cancelled this appointment.'],
  ['doctor', 'doctor', 'You cancelled this appointment.'],
  ['admin', 'admin', 'Wellhour’s staff cancelled this appointment.'],
] as const)('cancelled by %s, a %s reads: %s', (cancelledBy, reader, sentence) => {
  expect(visitSentence(aVisit({ status: 'cancelled', cancelledBy }), reader)).toBe(sentence);
});

test('upcoming is what is live and not over, ahead what has not begun', () => {
  const live = aVisit({ status: 'confirmed' });
  expect([isUpcoming(live, UNDER_WAY), isUpcoming(live, AFTER)]).toEqual([true, false]);
  expect(isUpcoming(aVisit({ status: 'cancelled' }), DAYS_BEFORE)).toBe(false);
  expect([isAhead(live, DAYS_BEFORE), isAhead(live, UNDER_WAY)]).toEqual([true, false]);
});
