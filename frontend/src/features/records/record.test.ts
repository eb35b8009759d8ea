import { expect, test } from 'vitest';
import { aVisit } from '@/testing/visits';
import { recordOf } from './record';

test('a record without anything written uses the specification’s words', () => {
  expect(recordOf(aVisit())).toEqual({
    diagnosis: 'No diagnosis/notes provided.',
    prescription: 'No prescription provided.',
    doctorNotes: '',
    patientNotes: '',
  });
});

test('the doctor’s notes stand in for a missing diagnosis, and only once', () => {
  const visit = aVisit({ diagnosis: ' ', notes: { patient: '', doctor: 'Mild eczema.' } });
  expect(recordOf(visit)).toMatchObject({ diagnosis: 'Mild eczema.', doctorNotes: '' });
});

test('diagnosis, notes and prescription all stand where all were written', () => {
  const visit = aVisit({
    diagnosis: 'Stable angina.',
    prescription: { notes: 'Aspirin 75 mg.', items: [] },
    notes: { patient: 'Is sport allowed?', doctor: 'Again in three months.' },
  });
  expect(recordOf(visit)).toEqual({
    diagnosis: 'Stable angina.',
    prescription: 'Aspirin 75 mg.',
    doctorNotes: 'Again in three months.',
    patientNotes: 'Is sport allowed?',
  });
});
