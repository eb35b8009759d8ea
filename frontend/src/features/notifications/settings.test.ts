import { i18n } from '@lingui/core';
import { expect, it } from 'vitest';
import type { NoticeSettings } from '@/api/types';
import {
  checkQuietHours,
  offsetLabel,
  optionalKinds,
  requiredKinds,
  toFormValues,
  toSettings,
} from './settings';

const all: NoticeSettings = {
  reminders: ['7d', '48h', '2h'],
  offeredReminders: ['7d', '48h', '2h'],
  offeredChannels: [{ name: 'email', label: 'Email' }],
  channels: { changes: ['email'], reminders: ['email'] },
  language: 'en',
  offeredLanguages: [
    { code: 'en', name: 'English' },
    { code: 'de', name: 'Deutsch' },
  ],
  quietHours: null,
  timeZone: 'America/New_York',
  calendarInvitations: true,
};

it.each([
  ['7d', '7 days before'],
  ['48h', '2 days before'],
  ['24h', '1 day before'],
  ['2h', '2 hours before'],
  ['1h', '1 hour before'],
  ['36h', '36 hours before'],
])('formats %s as "%s"', (offset, words) => expect(offsetLabel(offset)).toBe(words));

it('converts settings to form values and back', () => {
  const quiet = {
    ...all,
    language: 'de',
    reminders: ['2h'],
    quietHours: { start: '22:00', end: '07:00' },
  };
  expect(toSettings(toFormValues(quiet), 'patient')).toMatchObject({
    reminders: ['2h'],
    language: 'de',
    channels: { changes: ['email'], reminders: ['email'] },
    quietHours: { start: '22:00', end: '07:00' },
  });
});

it('keeps reminder times separate from channels', () => {
  const off = toFormValues({ ...all, channels: { changes: ['email'], reminders: [] } });
  expect(off.reminders).toEqual(['7d', '48h', '2h']);
  expect(toSettings(off, 'patient')).toMatchObject({
    reminders: ['7d', '48h', '2h'],
    channels: { changes: ['email'], reminders: [] },
  });
});

it('offers each role the kinds of notifications it gets', () => {
  const names = (role: 'patient' | 'doctor' | 'admin') =>
    optionalKinds(role).map(({ name }) => name);
  expect(names('patient')).toEqual(['changes', 'reminders']);
  expect(names('doctor')).toEqual(['changes']);
  expect(names('admin')).toEqual([]);
  expect(toSettings(toFormValues(all), 'admin')).not.toHaveProperty('channels');
});

it('sends the calendar invitation setting for users with appointments', () => {
  const off = toFormValues({ ...all, calendarInvitations: false });
  expect(toSettings(off, 'patient')).toMatchObject({ calendarInvitations: false });
  expect(toSettings(off, 'doctor')).toMatchObject({ calendarInvitations: false });
  expect(toSettings(off, 'admin')).not.toHaveProperty('calendarInvitations');
});

it('does not change a doctor’s reminders, which the page does not show', () => {
  const sent = toSettings(toFormValues(all), 'doctor');
  expect(sent).not.toHaveProperty('reminders');
  expect(sent.channels).toEqual({ changes: ['email'] });
});

it('accepts quiet hours over midnight, and both ends or none', () => {
  const hours = (start: string, end: string) =>
    checkQuietHours({ ...toFormValues(all), 'quietHours.start': start, 'quietHours.end': end });
  expect(hours('', '')).toEqual({});
  expect(hours('22:00', '07:00')).toEqual({});
  expect(hours('22:00', '')).toEqual({ 'quietHours.end': 'Enter both times, or neither' });
  expect(hours('', '07:00')).toEqual({ 'quietHours.start': 'Enter both times, or neither' });
  expect(Object.keys(hours('22:00', '22:00'))).toEqual(['quietHours.end']);
});

it('emails only doctors about their license', () => {
  const told = (role: 'patient' | 'doctor') =>
    requiredKinds(role).map(({ label }) => i18n._(label));
  expect(told('doctor').filter((what) => !told('patient').includes(what))).toEqual([
    'Your license and your approval',
  ]);
});
