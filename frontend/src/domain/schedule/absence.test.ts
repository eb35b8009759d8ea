import { expect, test } from 'vitest';
import { absenceBounds, absenceMinutesOn, absenceText, checkAbsence } from './absence';

const values = {
  wholeDays: false,
  fromDate: '2999-12-08',
  fromTime: '12',
  toDate: '2999-12-10',
  toTime: '10:00',
};
const long = absenceBounds(values);

test('extends whole days from midnight to midnight', () => {
  expect(long).toEqual({
    from: { date: '2999-12-08', time: '12:00' },
    to: { date: '2999-12-10', time: '10:00' },
  });
  expect(absenceBounds({ ...values, wholeDays: true })).toEqual({
    from: { date: '2999-12-08', time: '00:00' },
    to: { date: '2999-12-10', time: '24:00' },
  });
});

test('shows each error at its field', () => {
  expect(checkAbsence(values)).toEqual({});
  expect(checkAbsence({ ...values, fromDate: '', toDate: '' })).toEqual({
    fromDate: 'Enter the first day off.',
    toDate: 'Enter the last day off.',
  });
  expect(checkAbsence({ ...values, toDate: '2999-12-07' })).toEqual({
    toDate: 'The last day off is before the first.',
  });
  expect(checkAbsence({ ...values, toDate: values.fromDate })).toEqual({
    toTime: 'The end must be after the start.',
  });
  expect(checkAbsence({ ...values, fromTime: '24:00', toTime: 'noon' })).toEqual({
    fromTime: 'Enter a start time, like 09:00.',
    toTime: 'Enter an end time, like 17:00.',
  });
});

test('computes the minutes of time off for each date', () => {
  expect(absenceMinutesOn(long, '2999-12-07')).toBeNull();
  expect(absenceMinutesOn(long, '2999-12-08')).toEqual([720, 1440]);
  expect(absenceMinutesOn(long, '2999-12-09')).toEqual([0, 1440]);
  expect(absenceMinutesOn(long, '2999-12-10')).toEqual([0, 600]);
  expect(
    absenceMinutesOn({ ...long, to: { date: '2999-12-10', time: '00:00' } }, '2999-12-10'),
  ).toBe(null);
});

test('describes the time off in one line', () => {
  expect(absenceText(long)).toMatch(/8 December 2999, 12:00 to .*10 December 2999, 10:00$/);
  expect(absenceText({ ...long, to: { date: '2999-12-08', time: '14:00' } })).toMatch(
    /12:00 to 14:00$/,
  );
  expect(
    absenceText(absenceBounds({ ...values, wholeDays: true, toDate: '2999-12-08' })),
  ).not.toMatch(/ to /);
});
