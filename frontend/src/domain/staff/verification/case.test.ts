import { expect, test } from 'vitest';
import { addDays, today } from '@/lib/dates';
import {
  decisionValues,
  findMissingEvidence,
  hasExpired,
  licenseCorrections,
  missingEvidenceText,
  toApprovalDecision,
  uncheckedLabels,
  validateDecision,
} from './case';

const license = {
  licenseNumber: 'MA-1',
  licenseAuthority: 'Board of Medicine',
  licenseRegion: 'MA',
  licenseExpiresOn: '2031-05-01',
};
const values = { ...decisionValues(license), checklist: ['identity', 'license'] };
const pending = { doctor: { isApproved: false }, openCase: { revision: 3 } };

test('sends only the license fields that staff changed', () => {
  expect(licenseCorrections(values, license)).toEqual({});
  expect(
    licenseCorrections({ ...values, licenseNumber: ' MA-2 ', licenseExpiresOn: '' }, license),
  ).toEqual({ licenseNumber: 'MA-2', licenseExpiresOn: null });
});

test('sends the checklist and the case revision with an approval, and no reason', () => {
  expect(
    toApprovalDecision({ ...values, reason: 'Begun', note: ' Rang ' }, license, 'approve', pending),
  ).toEqual({
    isApproved: true,
    note: 'Rang',
    checklist: { identity: true, license: true, register: false, specialization: false },
    caseRevision: 3,
  });
});

test('sends the reason with a rejection, and no corrections', () => {
  const typed = { ...values, licenseNumber: 'MA-2', reason: ' Not in the register. ' };
  const sent = toApprovalDecision(typed, license, 'reject', pending);
  expect(sent).toMatchObject({
    isApproved: false,
    reason: 'Not in the register.',
    caseRevision: 3,
  });
  expect(sent).not.toHaveProperty('keepApproval');
  expect(sent).not.toHaveProperty('licenseNumber');
});

test('keeps the approval if the new license of an approved doctor is rejected', () => {
  const about = { doctor: { isApproved: true }, openCase: { revision: 1 } };
  expect(toApprovalDecision(values, license, 'reject', about)).toMatchObject({
    isApproved: false,
    keepApproval: true,
  });
});

test('requires a reason to reject, but not to approve', () => {
  expect(validateDecision(values, 'approve')).toEqual({});
  expect(Object.keys(validateDecision({ ...values, reason: '  ' }, 'reject'))).toEqual(['reason']);
});

test('refuses to approve an expired license or an invalid date', () => {
  const yesterday = addDays(today('UTC'), -1);
  expect(hasExpired(yesterday)).toBe(true);
  expect(hasExpired(today('UTC'))).toBe(false);
  expect(hasExpired(null)).toBe(false);
  for (const licenseExpiresOn of [yesterday, '2030-2-31']) {
    expect(Object.keys(validateDecision({ ...values, licenseExpiresOn }, 'approve'))).toEqual([
      'licenseExpiresOn',
    ]);
  }
});

test('requires a reason to approve without evidence, but not to reject', () => {
  const missing = findMissingEvidence({ licenseAuthority: ' ', licenseExpiresOn: '' }, false);
  expect(missing).toEqual(['licenseAuthority', 'licenseExpiresOn', 'document']);
  expect(missingEvidenceText(missing)).toBe(
    'who issued the license, when the license expires and a copy of the license',
  );
  expect(findMissingEvidence(values, true)).toEqual([]);
  expect(Object.keys(validateDecision(values, 'approve', missing))).toEqual(['approvalReason']);
  const reasoned = { ...values, approvalReason: ' Seen in person. ', reason: 'No.' };
  expect(validateDecision(reasoned, 'approve', missing)).toEqual({});
  expect(toApprovalDecision(reasoned, license, 'approve', pending).approvalReason).toBe(
    'Seen in person.',
  );
  expect(validateDecision({ ...values, reason: 'No.' }, 'reject', missing)).toEqual({});
});

test('lists the unchecked items', () => {
  expect(uncheckedLabels(['identity', 'license', 'register'])).toEqual(['It covers the specialty']);
});
