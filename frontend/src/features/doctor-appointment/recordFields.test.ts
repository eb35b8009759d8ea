import { expect, test } from 'vitest';
import {
  checkRecord,
  hasSameContent,
  newRow,
  type RecordValues,
  toDraft,
  toFormValues,
  toRecord,
  toRowErrors,
} from './recordFields';

const typed = (changes: Partial<RecordValues> = {}): RecordValues => ({
  diagnosis: '',
  notes: '',
  'prescription.items': [],
  'prescription.notes': '',
  followUpDays: '',
  ...changes,
});

test('converts form values to a record: trimmed, with numbers, without empty rows', () => {
  const form = typed({
    diagnosis: ' Hay fever. ',
    'prescription.items': [
      newRow(),
      newRow({ medicine: ' Cetirizine ', dose: '10 mg', frequency: 'once a day', days: '30' }),
      newRow({ medicine: 'Spray' }),
    ],
    followUpDays: '14',
  });
  expect(toRecord(form)).toEqual({
    diagnosis: 'Hay fever.',
    notes: '',
    prescription: {
      notes: '',
      items: [
        { medicine: 'Cetirizine', dose: '10 mg', frequency: 'once a day', days: 30 },
        { medicine: 'Spray', dose: '', frequency: '', days: null },
      ],
    },
    followUpDays: 14,
  });
});

test('keeps incomplete values in a draft', () => {
  const form = typed({
    'prescription.items': [newRow({ dose: '10', days: '3x' })],
    followUpDays: '1',
  });
  const draft = toDraft(form);
  expect(draft.prescription.items).toEqual([
    { medicine: '', dose: '10', frequency: '', days: '3x' },
  ]);
  expect(hasSameContent(toDraft(toFormValues(draft)), draft)).toBe(true);
});

test('treats a draft and the record made from it as the same content', () => {
  const form = typed({ diagnosis: 'Flu.', followUpDays: '7' });
  expect(hasSameContent(toDraft(form), toRecord(form))).toBe(true);
  expect(hasSameContent(toDraft(form), toDraft(typed({ diagnosis: 'Flu' })))).toBe(false);
});

test.each([
  ['0', false],
  ['1', true],
  ['365', true],
  ['366', false],
  ['2.5', false],
  ['three', false],
  ['', true],
])('checks a medicine for %s days', (days, fine) => {
  const form = typed({ 'prescription.items': [newRow({ medicine: 'Spray', days })] });
  expect(Object.keys(checkRecord(form))).toEqual(fine ? [] : ['prescription.items.0.days']);
});

test('reports a row without a name as incomplete and ignores empty rows', () => {
  const form = typed({
    'prescription.items': [newRow(), newRow({ dose: '10 mg' })],
    followUpDays: '731',
  });
  expect(Object.keys(checkRecord(form))).toEqual(['prescription.items.1.medicine', 'followUpDays']);
});

test('maps the server’s errors to the rows of the form', () => {
  const form = typed({
    'prescription.items': [newRow(), newRow({ medicine: 'A' }), newRow({ medicine: 'B' })],
  });
  const said = { 'visit.prescription.items.1.dose': ['Too long.'], diagnosis: ['Too long.'] };
  expect(toRowErrors(said, form)).toEqual({
    'prescription.items.2.dose': ['Too long.'],
    diagnosis: ['Too long.'],
  });
});
