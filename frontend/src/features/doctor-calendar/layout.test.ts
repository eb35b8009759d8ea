import { expect, test } from 'vitest';
import type { Calendar, CalendarAppointment } from '@/api/types';
import { formatMinute } from '@/domain/schedule/hours';
import {
  appointmentSpan,
  assignLanes,
  conflictText,
  dayItems,
  hourHeight,
  hourRange,
  minuteNow,
  nearestIndex,
  nearestStart,
  positionAfterKey,
  suggestTime,
} from './layout';

const ZONE = 'America/New_York';
const DATE = '2026-12-08';

function appointment(
  id: string,
  time: string,
  changes: Partial<CalendarAppointment> = {},
): CalendarAppointment {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  // New York is five hours behind in December.
  const start = Date.UTC(2026, 11, 8, hours + 5, minutes);
  const length = changes.minutes ?? 60;
  return {
    _id: id,
    patient: { _id: `patient-${id}`, name: `Patient ${id}` },
    appointmentDate: DATE,
    appointmentTime: time,
    startsAt: new Date(start).toISOString(),
    endsAt: new Date(start + length * 60_000).toISOString(),
    minutes: length,
    bufferMinutes: 0,
    status: 'confirmed',
    attended: null,
    outsideHours: false,
    bookedBy: 'patient',
    cancelRequest: false,
    proposal: false,
    ...changes,
  };
}

/** A day of three hours, with the free times that the server would list beside these appointments. */
function calendar(changes: Partial<Calendar> = {}): Calendar {
  const { visits: appointments = [], today = '2026-12-01' } = changes;
  const taken = appointments.filter(({ status }) => status !== 'cancelled');
  const free = (start: number) =>
    today <= DATE &&
    taken.every((each) => {
      const { start: from, end } = appointmentSpan(each, ZONE);
      return end <= start || start + 60 <= from;
    });
  return {
    timeZone: ZONE,
    today,
    visitMinutes: 60,
    bufferMinutes: 0,
    days: [
      {
        date: DATE,
        hours: [{ start: '09:00', end: '12:00' }],
        dayOff: false,
        reason: '',
        blocked: [],
        freeTimes: [9, 10, 11]
          .filter((hour) => free(hour * 60))
          .map((hour) => formatMinute(hour * 60)),
      },
    ],
    absences: [],
    visits: appointments,
    kept: [],
    ...changes,
  };
}

const DAY = calendar().days[0] as Calendar['days'][number];
const BEFORE = Date.parse('2026-12-01T12:00:00Z');
const cancelled = { status: 'cancelled' } as const;

/** What a day shows, and where: key, start, end, lane of lanes. */
const shown = (of: Calendar, now = BEFORE) =>
  assignLanes(dayItems(of, of.days[0] ?? DAY, now)).map(
    ({ key, start, end, lane, lanes }) => `${key} ${start}-${end} ${lane}/${lanes}`,
  );

test('lists appointments and the free times between them in order', () => {
  expect(shown(calendar({ visits: [appointment('a', '10:00')] }))).toEqual([
    'empty-2026-12-08-540 540-600 0/1',
    'a 600-660 0/1',
    'empty-2026-12-08-660 660-720 0/1',
  ]);
});

test('keeps the next regular start free after an off-grid appointment', () => {
  expect(shown(calendar({ visits: [appointment('a', '09:30', { minutes: 30 })] }))).toEqual([
    'a 570-600 0/1',
    'empty-2026-12-08-600 600-660 0/1',
    'empty-2026-12-08-660 660-720 0/1',
  ]);
});

test('puts a cancelled appointment beside and after the one that took its time', () => {
  const appointments = [appointment('gone', '09:00', cancelled), appointment('stands', '09:00')];
  expect(shown(calendar({ visits: appointments })).slice(0, 2)).toEqual([
    'stands 540-600 0/2',
    'gone 540-600 1/2',
  ]);
});

test('offers exactly the starts that patients see', () => {
  const odd = calendar({
    visitMinutes: 25,
    bufferMinutes: 5,
    days: [{ ...DAY, freeTimes: ['09:00', '09:30', '11:00'] }],
  });
  expect(shown(odd)).toEqual([
    'empty-2026-12-08-540 540-565 0/1',
    'empty-2026-12-08-570 570-595 0/1',
    'empty-2026-12-08-660 660-685 0/1',
  ]);
  // A drag lands on one of them, whatever the pointer's minute.
  expect(nearestStart(odd, DATE, 557, BEFORE)).toBe(570);
  expect(nearestStart(odd, DATE, 1200, BEFORE)).toBe(660);
  expect(nearestStart(odd, '2026-12-09', 557, BEFORE)).toBeNull();
  expect(nearestStart({ ...odd, days: [{ ...DAY, freeTimes: [] }] }, DATE, 557, BEFORE)).toBeNull();
});

test('shows an appointment past midnight on both dates', () => {
  const night = appointment('night', '23:30', { endsAt: '2026-12-09T06:00:00Z', minutes: 90 });
  const days = [
    { ...DAY, freeTimes: [] },
    { ...DAY, date: '2026-12-09', freeTimes: [] },
  ];
  const both = calendar({ days, visits: [night] });
  expect(
    both.days.map((day) =>
      dayItems(both, day, BEFORE).map(({ key, start, end }) => [key, start, end]),
    ),
  ).toEqual([[['night', 1410, 1440]], [['night-continued', 0, 60]]]);
  expect(hourRange(both)).toEqual({ first: 0, last: 1440 });
  expect(conflictText(both, '2026-12-09', 30, BEFORE)).toMatch('Patient night');
});

test('shows time off as one entry with its part of each date', () => {
  const absence = {
    _id: '5',
    from: { date: DATE, time: '15:00' },
    to: { date: '2026-12-09', time: '10:00' },
    reason: 'A wedding',
  };
  const off = calendar({ absences: [absence], days: [{ ...DAY, freeTimes: [] }] });
  expect(shown(off)).toEqual(['absence-2026-12-08-5 900-1440 0/1']);
  expect(
    conflictText(
      { ...off, days: [{ ...DAY, hours: [{ start: '09:00', end: '18:00' }] }] },
      DATE,
      900,
      BEFORE,
    ),
  ).toMatch('You’re off (A wedding): ');
});

test('offers the time of a cancelled appointment beside it', () => {
  expect(
    shown(calendar({ visits: [appointment('gone', '09:00', cancelled)] })).slice(0, 2),
  ).toEqual(['empty-2026-12-08-540 540-600 0/2', 'gone 540-600 1/2']);
});

test('combines many cancelled appointments at one time', () => {
  const appointments = [
    appointment('stands', '09:00'),
    ...['a', 'b', 'c'].map((id) => appointment(id, '09:00', cancelled)),
  ];
  expect(shown(calendar({ visits: appointments })).slice(0, 2)).toEqual([
    'stands 540-600 0/2',
    'more-a 540-600 1/2',
  ]);
});

test('gives adjacent items the full width', () => {
  const appointments = [appointment('a', '09:00'), appointment('b', '10:00', cancelled)];
  expect(shown(calendar({ visits: appointments }))).toEqual([
    'a 540-600 0/1',
    'empty-2026-12-08-600 600-660 0/2',
    'b 600-660 1/2',
    'empty-2026-12-08-660 660-720 0/1',
  ]);
});

test('offers no past starts', () => {
  const days = [
    {
      ...DAY,
      freeTimes: ['11:00'],
      blocked: [{ _id: '7', date: DATE, start: '09:00', end: '10:00', reason: '' }],
    },
  ];
  const kept: Calendar['kept'] = [
    { kind: 'hold', date: DATE, time: '10:00', minutes: 60, patientName: '' },
  ];
  expect(shown(calendar({ days, kept }))).toEqual([
    'blocked-7 540-600 0/1',
    'reserved-2026-12-08-0 600-660 0/1',
    'empty-2026-12-08-660 660-720 0/1',
  ]);
  const halfPastTen = Date.parse('2026-12-08T15:30:00Z');
  expect(shown(calendar({ today: DATE }), halfPastTen)).toEqual([
    'empty-2026-12-08-660 660-720 0/1',
  ]);
});

test.each([
  ['an ordinary day', '2026-12-08', '01:30', '2026-12-08T07:30:00Z', [90, 150]],
  ['the day that leaves an hour out', '2026-03-08', '01:30', '2026-03-08T07:30:00Z', [90, 210]],
  ['the day with an hour twice', '2026-11-01', '01:30', '2026-11-01T06:30:00Z', [90, 150]],
])(
  'computes the span of a one-hour appointment on %s',
  (_, appointmentDate, appointmentTime, endsAt, [start, end]) => {
    const times = { appointmentDate, appointmentTime, endsAt, minutes: 60 };
    expect(appointmentSpan(times, ZONE)).toEqual({ start, end });
  },
);

test('ends an appointment past midnight with its day', () => {
  const late = appointment('late', '23:30', { endsAt: '2026-12-09T05:30:00Z' });
  expect(appointmentSpan(late, ZONE)).toEqual({ start: 1410, end: 1440 });
});

test('places the current time by the clinic’s clock, even in the repeated hour', () => {
  expect(minuteNow(Date.parse('2026-11-01T05:30:00Z'), ZONE, '2026-11-01')).toBe(90);
  expect(minuteNow(Date.parse('2026-11-01T06:30:00Z'), ZONE, '2026-11-01')).toBe(90);
  expect(minuteNow(Date.parse('2026-11-01T03:30:00Z'), ZONE, '2026-11-01')).toBeNull();
});

test('extends the shown hours to fit all items', () => {
  expect(hourRange(calendar())).toEqual({ first: 480, last: 1080 });
  const early = appointment('early', '06:30');
  const late = appointment('late', '20:15');
  expect(hourRange(calendar({ visits: [early, late] }))).toEqual({ first: 360, last: 1320 });
});

test('makes hours taller for short appointments', () => {
  expect([60, 30, 15, 5].map(hourHeight)).toEqual([56, 68, 136, 168]);
});

test('moves by keys between items and days, skipping empty days', () => {
  const days = [[{ start: 540 }, { start: 600 }], [], [{ start: 480 }, { start: 590 }]];
  expect(positionAfterKey(days, [0, 0], 'ArrowDown')).toEqual([0, 1]);
  expect(positionAfterKey(days, [0, 1], 'ArrowDown')).toBeNull();
  expect(positionAfterKey(days, [0, 1], 'Home')).toEqual([0, 0]);
  expect(positionAfterKey(days, [0, 0], 'End')).toEqual([0, 1]);
  expect(positionAfterKey(days, [0, 1], 'ArrowRight')).toEqual([2, 1]);
  expect(positionAfterKey(days, [2, 0], 'ArrowLeft')).toEqual([0, 0]);
  expect(positionAfterKey(days, [0, 0], 'ArrowLeft')).toBeNull();
  expect(nearestIndex([], 500)).toBeNull();
});

test('names the conflict', () => {
  const days = [
    {
      ...DAY,
      hours: [{ start: '09:00', end: '18:00' }],
      blocked: [{ _id: '7', date: DATE, start: '12:00', end: '13:00', reason: 'Team lunch' }],
    },
  ];
  const kept: Calendar['kept'] = [
    { kind: 'proposal', date: DATE, time: '15:00', minutes: 60, patientName: 'Ada' },
  ];
  const full = calendar({
    days,
    kept,
    visits: [appointment('a', '10:00'), appointment('b', '16:00', cancelled)],
  });
  const at = (minute: number, except?: string) => conflictText(full, DATE, minute, BEFORE, except);
  expect(at(630)).toBe('This overlaps the appointment with Patient a, 10:00 to 11:00.');
  expect(at(630, 'a')).toBeNull();
  expect(at(720)).toBe('12:00 to 13:00 is blocked (Team lunch).');
  expect(at(900)).toBe('15:00 is suggested to Ada.');
  expect(at(960)).toBeNull();
  const tail = calendar({ days, visits: [appointment('t', '09:00', { bufferMinutes: 30 })] });
  expect(conflictText(tail, DATE, 615, BEFORE)).toBe(
    'This overlaps the buffer of 30 minutes after the appointment with Patient t.',
  );
  expect(conflictText(tail, DATE, 630, BEFORE)).toBeNull();
  expect(at(1050)).toBe('17:30 to 18:30 is outside your hours.');
  const off = calendar({ days: [{ ...DAY, hours: [], dayOff: true, reason: 'Conference' }] });
  expect(conflictText(off, DATE, 600, BEFORE)).toBe(
    'You’re off on Tuesday 8 December (Conference).',
  );
  expect(conflictText(off, '2026-11-30', 600, BEFORE)).toBe('That time has passed.');
});

test.each([
  // The first empty time of the day, and on the day itself of what is left of it.
  ['2026-12-07T12:00:00Z', {}, [DATE, 9 * 60]],
  ['2026-12-08T15:20:00Z', { today: DATE }, [DATE, 11 * 60]],
  // All empty times are over: the next half hour to come, and after the last one the next day.
  ['2026-12-08T20:10:00Z', { today: DATE }, [DATE, 15 * 60 + 30]],
  ['2026-12-09T04:40:00Z', { today: DATE }, ['2026-12-09', 9 * 60]],
  // Days that have passed offer today.
  ['2026-12-20T11:00:00Z', { today: '2026-12-20' }, ['2026-12-20', 9 * 60]],
] as const)('suggests a future time at %s', (now, changes, [date, start]) => {
  expect(suggestTime(calendar(changes), Date.parse(now))).toEqual({ date, start, end: start + 60 });
});
