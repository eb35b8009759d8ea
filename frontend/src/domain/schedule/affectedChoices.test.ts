import { expect, test } from 'vitest';
import type { AffectedAppointment } from '@/api/types';
import { chooseForAll, decisionOf, defaultChoice, outcomeOf } from './affectedChoices';

const slot = { date: '2999-12-10', time: '11:00', startsAt: '2999-12-10T16:00:00Z' };
const appointment: AffectedAppointment = {
  _id: 'a',
  kind: 'appointment',
  appointmentId: 'a',
  patientName: 'Amina Yusuf',
  phone: '',
  appointmentDate: '2999-12-09',
  appointmentTime: '09:00',
  startsAt: '2999-12-09T14:00:00Z',
  status: 'confirmed',
  mayCancel: true,
  hasProposal: false,
  suggested: slot,
  alternatives: [slot],
};
const full: AffectedAppointment = { ...appointment, _id: 'b', appointmentId: 'b', suggested: null };
const proposal: AffectedAppointment = {
  ...appointment,
  _id: 'p',
  kind: 'proposal',
  suggested: null,
};

test('another time is preselected, and nothing where there is none', () => {
  expect(defaultChoice(appointment, [appointment])).toEqual({
    kind: 'propose',
    date: '2999-12-10',
    time: '11:00',
  });
  expect(defaultChoice(full, [full])).toEqual({ kind: '' });
});

test('an open proposal stays the answer, unless the change takes that time as well', () => {
  const proposed = { ...appointment, hasProposal: true };
  expect(defaultChoice(proposed, [proposed])).toEqual({ kind: 'keep' });
  expect(defaultChoice(proposed, [proposed, proposal]).kind).toBe('propose');
  expect(defaultChoice(proposal, [proposed, proposal])).toEqual({ kind: 'withdraw' });
});

test('one choice for all leaves out what it is not possible for', () => {
  const fixed = { ...appointment, _id: 'c', mayCancel: false };
  const all = [appointment, full, fixed, proposal];
  expect(Object.keys(chooseForAll('cancel', all))).toEqual(['a', 'b']);
  expect(chooseForAll('move', all)).toEqual({
    a: { kind: 'move', date: '2999-12-10', time: '11:00' },
    c: { kind: 'move', date: '2999-12-10', time: '11:00' },
  });
});

test('what is saved is said in numbers', () => {
  const time = decisionOf({ kind: 'propose', date: '2999-12-10', time: '9' });
  expect(time).toEqual({ date: '2999-12-10', time: '09:00' });
  const moved = decisionOf({ kind: 'move', date: '2999-12-10', time: '09:00' });
  expect(outcomeOf({ a: time, b: time, c: moved, d: 'cancel', e: 'keep', f: 'withdraw' })).toBe(
    ' 2 new times proposed, 1 appointment moved, 1 appointment cancelled, 1 proposed time withdrawn. The patients have been notified.',
  );
  expect(outcomeOf({ e: 'keep' })).toBe('');
});
