import { expect, test } from 'vitest';
import { makeAppointment } from '@/testing/appointments';
import {
  changedTimes,
  contentOf,
  dosageText,
  followUpWhen,
  hasMedicines,
  isBlank,
  recordText,
} from './record';

const nothing = { notes: '', items: [] };

test('a record without anything written uses the specification’s words', () => {
  const record = contentOf(makeAppointment());
  expect(recordText(record)).toEqual({
    diagnosis: 'No diagnosis/notes provided.',
    prescription: 'No prescription provided.',
    notes: '',
  });
  expect(isBlank(record)).toBe(true);
});

test('the doctor’s notes stand in for a missing diagnosis, and only once', () => {
  const record = { ...contentOf(makeAppointment()), diagnosis: ' ', notes: 'Mild eczema.' };
  expect(recordText(record)).toMatchObject({ diagnosis: 'Mild eczema.', notes: '' });
});

test('diagnosis, notes and prescription all stand where all were written', () => {
  const record = {
    diagnosis: 'Stable angina.',
    notes: 'Again in three months.',
    prescription: { ...nothing, notes: 'Aspirin 75 mg.' },
    followUpDays: 90,
  };
  expect(recordText(record)).toEqual({
    diagnosis: 'Stable angina.',
    prescription: 'Aspirin 75 mg.',
    notes: 'Again in three months.',
  });
  expect(isBlank(record)).toBe(false);
});

test('medicines alone are a prescription', () => {
  const items = [{ medicine: 'Aspirin', dose: '75 mg', frequency: 'once a day', days: 30 }];
  const record = { ...contentOf(makeAppointment()), prescription: { notes: '', items } };
  expect(recordText(record).prescription).toBe('');
});

test.each([
  [{ dose: '500 mg', frequency: '3 times a day', days: 7 }, '500 mg, 3 times a day, for 7 days'],
  [{ dose: '', frequency: 'at night', days: 1 }, 'at night, for 1 day'],
  [{ dose: '', frequency: '', days: null }, ''],
])('a medicine is taken %j', (how, words) => {
  expect(dosageText({ medicine: 'Amoxicillin', ...how })).toBe(words);
});

test.each([
  [1, 'in 1 day, around Wednesday 9 December 2026'],
  [7, 'in 1 week, around Tuesday 15 December 2026'],
  [14, 'in 2 weeks, around Tuesday 22 December 2026'],
  [90, 'in 90 days, around Monday 8 March 2027'],
])('one comes back after %i days', (days, words) => {
  expect(followUpWhen(days, '2026-12-08')).toBe(words);
});

test.each([
  [0, ''],
  [1, ''],
  [2, 'Changed once'],
  [3, 'Changed 2 times'],
])('version %i', (version, words) => {
  expect(changedTimes(version)).toBe(words);
});

test('advice alone is no prescription for a pharmacy', () => {
  const item = { medicine: 'Amoxicillin', dose: '', frequency: '', days: null };
  expect(hasMedicines({ prescription: { notes: 'Nothing to take.', items: [] } })).toBe(false);
  expect(hasMedicines({ prescription: { notes: '', items: [item] } })).toBe(true);
});
