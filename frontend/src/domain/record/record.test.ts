import { expect, test } from 'vitest';
import { makeAppointment } from '@/testing/appointments';
import {
  changeCountText,
  dosageText,
  followUpText,
  hasMedicines,
  isBlank,
  recordContent,
  recordText,
} from './record';

const nothing = { notes: '', items: [] };

test('uses the specification’s texts for an empty record', () => {
  const record = recordContent(makeAppointment());
  expect(recordText(record)).toEqual({
    diagnosis: 'No diagnosis/notes provided.',
    prescription: 'No prescription provided.',
    notes: '',
  });
  expect(isBlank(record)).toBe(true);
});

test('shows the doctor’s notes once if there is no diagnosis', () => {
  const record = { ...recordContent(makeAppointment()), diagnosis: ' ', notes: 'Mild eczema.' };
  expect(recordText(record)).toMatchObject({ diagnosis: 'Mild eczema.', notes: '' });
});

test('shows diagnosis, notes and prescription', () => {
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

test('treats medicines alone as a prescription', () => {
  const items = [{ medicine: 'Aspirin', dose: '75 mg', frequency: 'once a day', days: 30 }];
  const record = { ...recordContent(makeAppointment()), prescription: { notes: '', items } };
  expect(recordText(record).prescription).toBe('');
});

test.each([
  [{ dose: '500 mg', frequency: '3 times a day', days: 7 }, '500 mg, 3 times a day, for 7 days'],
  [{ dose: '', frequency: 'at night', days: 1 }, 'at night, for 1 day'],
  [{ dose: '', frequency: '', days: null }, ''],
])('formats the dosage %j', (how, words) => {
  expect(dosageText({ medicine: 'Amoxicillin', ...how })).toBe(words);
});

test.each([
  [1, 'in 1 day, around Wednesday 9 December 2026'],
  [7, 'in 1 week, around Tuesday 15 December 2026'],
  [14, 'in 2 weeks, around Tuesday 22 December 2026'],
  [90, 'in 90 days, around Monday 8 March 2027'],
])('formats a follow-up after %i days', (days, words) => {
  expect(followUpText(days, '2026-12-08')).toBe(words);
});

test.each([
  [0, ''],
  [1, ''],
  [2, 'Changed once'],
  [3, 'Changed 2 times'],
])('counts the changes of version %i', (version, words) => {
  expect(changeCountText(version)).toBe(words);
});

test('does not treat advice alone as a prescription for a pharmacy', () => {
  const item = { medicine: 'Amoxicillin', dose: '', frequency: '', days: null };
  expect(hasMedicines({ prescription: { notes: 'Nothing to take.', items: [] } })).toBe(false);
  expect(hasMedicines({ prescription: { notes: '', items: [item] } })).toBe(true);
});
