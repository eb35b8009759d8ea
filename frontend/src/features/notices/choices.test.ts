import { expect, it } from 'vitest';
import type { NoticeSettings } from '@/api/types';
import { alwaysOn, checkQuietHours, choicesOf, offsetLabel, settingsOf } from './choices';

const all: NoticeSettings = {
  reminders: ['7d', '48h', '2h'],
  offeredReminders: ['7d', '48h', '2h'],
  optional: { changes: true, reminders: true },
  quietHours: null,
  timeZone: 'America/New_York',
};

it.each([
  ['7d', '7 days before'],
  ['48h', '2 days before'],
  ['24h', '1 day before'],
  ['2h', '2 hours before'],
  ['1h', '1 hour before'],
  ['36h', '36 hours before'],
])('says %s as "%s"', (offset, words) => expect(offsetLabel(offset)).toBe(words));

it('gives back what it was given', () => {
  const quiet = { ...all, reminders: ['2h'], quietHours: { start: '22:00', end: '07:00' } };
  expect(settingsOf(choicesOf(quiet), 'patient')).toMatchObject({
    reminders: ['2h'],
    optional: { changes: true, reminders: true },
    quietHours: { start: '22:00', end: '07:00' },
  });
});

it('shows no reminder where a mail’s link has turned them off, and turns them on with the first', () => {
  const off = choicesOf({ ...all, optional: { changes: true, reminders: false } });
  expect(off.reminders).toEqual([]);
  expect(settingsOf(off, 'patient').optional).toEqual({ changes: true, reminders: false });
  const one = settingsOf({ ...off, reminders: ['48h'] }, 'patient');
  expect(one).toMatchObject({ reminders: ['48h'], optional: { reminders: true } });
});

it('leaves a doctor’s reminders alone, of which the page shows none', () => {
  const sent = settingsOf(choicesOf(all), 'doctor');
  expect(sent).not.toHaveProperty('reminders');
  expect(sent.optional).toEqual({ changes: true });
});

it('takes quiet hours over midnight, and both ends or none', () => {
  const hours = (start: string, end: string) =>
    checkQuietHours({ ...choicesOf(all), 'quietHours.start': start, 'quietHours.end': end });
  expect(hours('', '')).toEqual({});
  expect(hours('22:00', '07:00')).toEqual({});
  expect(hours('22:00', '')).toEqual({ 'quietHours.end': 'Enter both times, or neither' });
  expect(hours('', '07:00')).toEqual({ 'quietHours.start': 'Enter both times, or neither' });
  expect(Object.keys(hours('22:00', '22:00'))).toEqual(['quietHours.end']);
});

it('tells doctors alone of their licence', () => {
  const told = (role: 'patient' | 'doctor') => alwaysOn(role).map(({ what }) => what);
  expect(told('doctor').filter((what) => !told('patient').includes(what))).toEqual([
    'Your licence and whether you are approved',
  ]);
});
