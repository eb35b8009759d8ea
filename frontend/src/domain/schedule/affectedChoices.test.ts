import { expect, test } from 'vitest';
import type { AffectedAppointment } from '@/api/types';
import { chooseForAll, defaultChoice, outcomeText, toDecision } from './affectedChoices';

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

test('preselects another time, or nothing if there is none', () => {
  expect(defaultChoice(appointment, [appointment])).toEqual({
    kind: 'propose',
    date: '2999-12-10',
    time: '11:00',
  });
  expect(defaultChoice(full, [full])).toEqual({ kind: '' });
});

test('keeps an open proposal unless the change affects its time too', () => {
  const proposed = { ...appointment, hasProposal: true };
  expect(defaultChoice(proposed, [proposed])).toEqual({ kind: 'keep' });
  expect(defaultChoice(proposed, [proposed, proposal]).kind).toBe('propose');
  expect(defaultChoice(proposal, [proposed, proposal])).toEqual({ kind: 'withdraw' });
});

test('applies a choice for all only where it is possible', () => {
  const fixed = { ...appointment, _id: 'c', mayCancel: false };
  const all = [appointment, full, fixed, proposal];
  expect(Object.keys(chooseForAll('cancel', all))).toEqual(['a', 'b']);
  expect(chooseForAll('move', all)).toEqual({
    a: { kind: 'move', date: '2999-12-10', time: '11:00' },
    c: { kind: 'move', date: '2999-12-10', time: '11:00' },
  });
});

test('summarizes the decisions in numbers', () => {
  const time = toDecision({ kind: 'propose', date: '2999-12-10', time: '9' });
  expect(time).toEqual({ date: '2999-12-10', time: '09:00' });
  const moved = toDecision({ kind: 'move', date: '2999-12-10', time: '09:00' });
  expect(outcomeText({ a: time, b: time, c: moved, d: 'cancel', e: 'keep', f: 'withdraw' })).toBe(
    '2 new times suggested, 1 appointment moved, 1 appointment cancelled and 1 suggested time withdrawn. We’ve notified the patients.',
  );
  expect(outcomeText({ e: 'keep' })).toBe('');
});
