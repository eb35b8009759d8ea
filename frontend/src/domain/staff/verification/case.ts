import type { Case, CaseKind, Checklist, MissingEvidence, StaffDoctor } from '@/api/types';
import type { ApprovalDecision } from '@/api/users';
import { browserZone, inZone, isDate, today } from '@/lib/dates';

/** What staff look at before they decide; doctors/models/profile.py CHECKLIST. */
export const CHECKLIST_LABELS: Record<keyof Checklist, string> = {
  identity: 'The person is who they say they are',
  license: 'The license is genuine and valid',
  register: 'The issuer’s register lists it under this name',
  specialization: 'It covers the specialty',
};

export const CHECKLIST_KEYS = Object.keys(CHECKLIST_LABELS) as (keyof Checklist)[];

/** The day of an instant on this computer's clock. */
export const localDate = (instant: string): string => inZone(instant, browserZone()).date;

/** A license, as claimed in a case or as it is in the profile. */
export type License = Pick<
  StaffDoctor,
  'licenseNumber' | 'licenseAuthority' | 'licenseRegion' | 'licenseExpiresOn'
>;

/** What an application can lack; doctors/verification/decisions.py EVIDENCE. */
export const EVIDENCE_LABELS: Record<MissingEvidence, string> = {
  licenseAuthority: 'who issued the license',
  licenseExpiresOn: 'when the license expires',
  document: 'a copy of the license',
};

/** What is missing to approve a license, with what staff have filled in. */
export function findMissingEvidence(
  license: Pick<License, 'licenseAuthority' | 'licenseExpiresOn'>,
  hasDocument: boolean,
): MissingEvidence[] {
  const missing: MissingEvidence[] = [];
  if (!license.licenseAuthority.trim()) missing.push('licenseAuthority');
  if (!license.licenseExpiresOn) missing.push('licenseExpiresOn');
  if (!hasDocument) missing.push('document');
  return missing;
}

/** "who issued the license and a copy of the license". */
export function missingEvidenceText(missing: readonly MissingEvidence[]): string {
  return new Intl.ListFormat('en-US').format(missing.map((part) => EVIDENCE_LABELS[part]));
}

export interface DecisionValues {
  checklist: string[];
  /** Why to approve although evidence is missing. */
  approvalReason: string;
  note: string;
  reason: string;
  licenseNumber: string;
  licenseAuthority: string;
  licenseRegion: string;
  licenseExpiresOn: string;
}

const LICENSE_KEYS = ['licenseNumber', 'licenseAuthority', 'licenseRegion'] as const;

export function decisionValues(license: License): DecisionValues {
  return {
    checklist: [],
    approvalReason: '',
    note: '',
    reason: '',
    licenseNumber: license.licenseNumber,
    licenseAuthority: license.licenseAuthority,
    licenseRegion: license.licenseRegion,
    licenseExpiresOn: license.licenseExpiresOn ?? '',
  };
}

export type DecisionAction = 'approve' | 'reject';

/** The words of a kind of application. */
export const CASE_KIND_LABELS: Record<CaseKind, string> = {
  new: 'New application',
  renewal: 'Renewal',
};

export function validateDecision(
  values: DecisionValues,
  action: DecisionAction,
  missing: readonly MissingEvidence[] = [],
): Record<string, string> {
  const errors: Record<string, string> = {};
  if (!values.licenseNumber.trim()) errors.licenseNumber = 'Please enter the license number.';
  if (values.licenseExpiresOn && !isDate(values.licenseExpiresOn)) {
    errors.licenseExpiresOn = 'Please enter a real date, such as 31 12 2030.';
  } else if (action === 'approve' && hasExpired(values.licenseExpiresOn)) {
    errors.licenseExpiresOn = 'This license has expired, so the doctor would not be listed.';
  }
  if (action === 'reject' && !values.reason.trim()) {
    errors.reason = 'Please give a reason. The doctor will read it.';
  }
  if (action === 'approve' && missing.length > 0 && !values.approvalReason.trim()) {
    errors.approvalReason = 'Please give a reason to approve without this evidence.';
  }
  return errors;
}

/** Return whether a license has expired; it is valid on the day itself. */
export function hasExpired(expiresOn: string | null | undefined): boolean {
  return Boolean(expiresOn) && String(expiresOn) < today('UTC');
}

/** What staff corrected in the license: only what differs from the claim. */
export function licenseCorrections(
  values: DecisionValues,
  claim: License,
): Partial<ApprovalDecision> {
  const corrections: Partial<ApprovalDecision> = {};
  for (const key of LICENSE_KEYS) {
    const correction = values[key].trim();
    if (correction !== claim[key]) corrections[key] = correction;
  }
  const expiry = values.licenseExpiresOn || null;
  if (expiry !== claim.licenseExpiresOn) corrections.licenseExpiresOn = expiry;
  return corrections;
}

/**
 * What goes to the server. `prefilled` is the license that the form began with, so that only what staff
 * changed counts as a correction, also where the doctor has changed the application meanwhile.
 */
export function toApprovalDecision(
  values: DecisionValues,
  initialLicense: License,
  action: DecisionAction,
  context: { doctor: Pick<StaffDoctor, 'isApproved'>; openCase?: Pick<Case, 'revision'> },
): ApprovalDecision {
  const checklist = Object.fromEntries(
    CHECKLIST_KEYS.map((key) => [key, values.checklist.includes(key)]),
  );
  const seen = { note: values.note.trim(), checklist, caseRevision: context.openCase?.revision };
  if (action === 'approve') {
    const approvalReason = values.approvalReason.trim();
    return {
      isApproved: true,
      ...seen,
      ...(approvalReason && { approvalReason: approvalReason }),
      ...licenseCorrections(values, initialLicense),
    };
  }
  return {
    isApproved: false,
    // What is turned down is the application; an approval that stands is revoked by its own button.
    ...(context.doctor.isApproved && { keepApproval: true }),
    reason: values.reason.trim(),
    ...seen,
  };
}

/** What was not looked at, in words. */
export function uncheckedLabels(checklist: readonly string[]): string[] {
  return CHECKLIST_KEYS.filter((key) => !checklist.includes(key)).map(
    (key) => CHECKLIST_LABELS[key],
  );
}

/** The state of a case in a word. */
export const CASE_STATE_LABELS: Record<Case['state'], string> = {
  open: 'Waiting',
  approved: 'Approved',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
  revoked: 'Revoked',
};
