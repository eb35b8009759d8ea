import { expect, test } from 'vitest';
import { addDays, today } from '@/lib/dates';
import {
  corrections,
  decisionValues,
  findMissing,
  hasExpired,
  listMissing,
  unchecked,
  verdictOf,
  wrong,
} from './case';

const license = {
  licenseNumber: 'MA-1',
  licenseAuthority: 'Board of Medicine',
  licenseRegion: 'MA',
  licenseExpiresOn: '2031-05-01',
};
const values = { ...decisionValues(license), checklist: ['identity', 'license'] };
const pending = { doctor: { isApproved: false }, shown: { revision: 3 } };

test('only what staff changed of the licence goes along', () => {
  expect(corrections(values, license)).toEqual({});
  expect(
    corrections({ ...values, licenseNumber: ' MA-2 ', licenseExpiresOn: '' }, license),
  ).toEqual({ licenseNumber: 'MA-2', licenseExpiresOn: null });
});

test('an approval carries what was checked, the case in view, and no reason', () => {
  expect(
    verdictOf({ ...values, reason: 'Begun', note: ' Rang ' }, license, 'approve', pending),
  ).toEqual({
    isApproved: true,
    note: 'Rang',
    checklist: { identity: true, license: true, register: false, specialization: false },
    caseRevision: 3,
  });
});

test('a rejection carries the reason and corrects nothing', () => {
  const typed = { ...values, licenseNumber: 'MA-2', reason: ' Not in the register. ' };
  const sent = verdictOf(typed, license, 'reject', pending);
  expect(sent).toMatchObject({
    isApproved: false,
    reason: 'Not in the register.',
    caseRevision: 3,
  });
  expect(sent).not.toHaveProperty('keepApproval');
  expect(sent).not.toHaveProperty('licenseNumber');
});

test('rejecting the new licence of an approved doctor leaves the approval', () => {
  const about = { doctor: { isApproved: true }, shown: { revision: 1 } };
  expect(verdictOf(values, license, 'reject', about)).toMatchObject({
    isApproved: false,
    keepApproval: true,
  });
});

test('a reason is needed to reject and not to approve', () => {
  expect(wrong(values, 'approve')).toEqual({});
  expect(Object.keys(wrong({ ...values, reason: '  ' }, 'reject'))).toEqual(['reason']);
});

test('a licence that has run out, or no date at all, is not approved', () => {
  const yesterday = addDays(today('UTC'), -1);
  expect(hasExpired(yesterday)).toBe(true);
  expect(hasExpired(today('UTC'))).toBe(false);
  expect(hasExpired(null)).toBe(false);
  for (const licenseExpiresOn of [yesterday, '2030-2-31']) {
    expect(Object.keys(wrong({ ...values, licenseExpiresOn }, 'approve'))).toEqual([
      'licenseExpiresOn',
    ]);
  }
});

test('missing evidence needs a reason to approve, and none to reject', () => {
  const missing = findMissing({ licenseAuthority: ' ', licenseExpiresOn: '' }, false);
  expect(missing).toEqual(['licenseAuthority', 'licenseExpiresOn', 'document']);
  expect(listMissing(missing)).toBe(
    'who issued the license, when the license expires, and a copy of the license',
  );
  expect(findMissing(values, true)).toEqual([]);
  expect(Object.keys(wrong(values, 'approve', missing))).toEqual(['approvalReason']);
  const reasoned = { ...values, approvalReason: ' Seen in person. ', reason: 'No.' };
  expect(wrong(reasoned, 'approve', missing)).toEqual({});
  expect(verdictOf(reasoned, license, 'approve', pending).approvalReason).toBe('Seen in person.');
  expect(wrong({ ...values, reason: 'No.' }, 'reject', missing)).toEqual({});
});

test('what was not looked at is named', () => {
  expect(unchecked(['identity', 'license', 'register'])).toEqual(['It covers the specialty']);
});
