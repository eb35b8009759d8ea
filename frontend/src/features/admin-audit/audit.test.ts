import { describe, expect, it } from 'vitest';
import {
  detailEntries,
  EVENTS,
  eventOptions,
  eventText,
  KINDS,
  OUTCOMES,
  optionsFor,
} from './labels';
import { readQuery, shortText } from './query';

describe('labels', () => {
  it('name known events and make unknown ones readable', () => {
    expect(eventText('account.signed_in')).toBe('Signed in');
    expect(eventText('account.')).toBe('Accounts and sign-in');
    expect(eventText('lab.result_sent')).toBe('Lab result sent');
  });

  it('name reverted status changes', () => {
    expect(eventText('appointment.confirmation_undone')).toBe('Confirmation undone');
    expect(eventText('appointment.reopened')).toBe('Appointment reopened');
    expect(eventText('appointment.cancel_request_withdrawn')).toBe(
      'Patient withdrew the request to cancel',
    );
  });

  it('format details of any type', () => {
    const detail = { from: 'pending', attended: false, fields: ['a', 'b'], odd_thing: { x: 1 } };
    expect(detailEntries({ detail })).toEqual([
      ['Before', 'pending'],
      ['Patient came', 'No'],
      ['Fields', 'a, b'],
      ['Odd thing', '{"x":1}'],
    ]);
  });

  it('offer every event once, below its kind', () => {
    const values = eventOptions(undefined).map(({ value }) => value);
    expect(new Set(values).size).toBe(values.length);
    expect(values.toSorted()).toEqual([...Object.keys(EVENTS), ...Object.keys(KINDS)].toSorted());
    expect(values.indexOf('doctor.')).toBe(values.indexOf('doctor.applied') - 1);
  });

  it('keep an unknown value from the URL as an option', () => {
    expect(optionsFor(OUTCOMES, undefined)).toHaveLength(3);
    expect(eventOptions('lab.result_sent').at(-1)).toEqual({
      value: 'lab.result_sent',
      label: 'Lab result sent',
    });
  });
});

describe('the URL query', () => {
  const read = (text: string) => readQuery(new URLSearchParams(text));
  const id = '01a2215f-0226-77dc-9960-1dacb8f6f038';

  it('is read completely', () => {
    const query = {
      event: 'doctor.',
      agent: id,
      entityType: 'doctor',
      entity: id,
      outcome: '4',
      requestId: 'abc',
      from: '2026-11-01',
      to: '2026-11-28',
    };
    expect(read(new URLSearchParams(query).toString())).toEqual(query);
  });

  it('accepts names and ends of ids', () => {
    expect(read('agent=Ada Sample&entity=b8f6f038')).toMatchObject({
      agent: 'Ada Sample',
      entity: 'b8f6f038',
    });
    expect([shortText(id), shortText('Ada Sample')]).toEqual(['b8f6f038', 'Ada Sample']);
  });

  it('drops values that the server would refuse', () => {
    const found = read(
      `agent=${'x'.repeat(101)}&outcome=toString&from=yesterday&event=${'x'.repeat(49)}&requestId=${'x'.repeat(33)}`,
    );
    expect(Object.values(found).every((value) => value === undefined)).toBe(true);
  });
});
