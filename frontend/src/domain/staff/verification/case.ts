import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type { Case, CaseKind, Checklist, MissingEvidence, StaffDoctor } from '@/api/types';
import type { ApprovalDecision } from '@/api/users';
import { browserZone, inZone, isDate, today } from '@/lib/dates';
import { formatList } from '@/lib/formatList';

/** The checklist of staff; doctors/models/verification.py CHECKLIST. */
export const CHECKLIST_LABELS: Record<keyof Checklist, MessageDescriptor> = {
  identity: msg`The person is who they say they are`,
  license: msg`The license is genuine and valid`,
  register: msg`The issuer’s register lists it under this name`,
  specialization: msg`It covers the specialty`,
};

export const CHECKLIST_KEYS = Object.keys(CHECKLIST_LABELS) as (keyof Checklist)[];

/** The local date of an instant. */
export const localDate = (instant: string): string => inZone(instant, browserZone()).date;

/** A license, as claimed in a case or as it is in the profile. */
export type License = Pick<
  StaffDoctor,
  'licenseNumber' | 'licenseAuthority' | 'licenseRegion' | 'licenseExpiresOn'
>;

/** Parts of the evidence; doctors/verification/decisions.py EvidencePart. */
export const EVIDENCE_LABELS: Record<MissingEvidence, MessageDescriptor> = {
  licenseAuthority: msg`who issued the license`,
  licenseExpiresOn: msg`when the license expires`,
  document: msg`a copy of the license`,
};

/** List the missing evidence, taking the corrections of staff into account. */
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

/** Format the missing evidence: "who issued the license and a copy of the license". */
export function missingEvidenceText(missing: readonly MissingEvidence[]): string {
  return formatList(missing.map((part) => i18n._(EVIDENCE_LABELS[part])));
}

export interface DecisionValues {
  checklist: string[];
  /** The reason to approve although evidence is missing. */
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

/** The label of a kind of application. */
export const CASE_KIND_LABELS: Record<CaseKind, MessageDescriptor> = {
  new: msg`New application`,
  renewal: msg`Renewal`,
};

export function validateDecision(
  values: DecisionValues,
  action: DecisionAction,
  missing: readonly MissingEvidence[] = [],
): Record<string, string> {
  const errors: Record<string, string> = {};
  if (!values.licenseNumber.trim()) errors.licenseNumber = t`Please enter the license number.`;
  if (values.licenseExpiresOn && !isDate(values.licenseExpiresOn)) {
    errors.licenseExpiresOn = t`Please enter a real date.`;
  } else if (action === 'approve' && hasExpired(values.licenseExpiresOn)) {
    errors.licenseExpiresOn = t`This license has expired, so patients couldn’t find the doctor.`;
  }
  if (action === 'reject' && !values.reason.trim()) {
    errors.reason = t`Please give a reason. The doctor will read it.`;
  }
  if (action === 'approve' && missing.length > 0 && !values.approvalReason.trim()) {
    errors.approvalReason = t`Please give a reason to approve without this evidence.`;
  }
  return errors;
}

/** Return whether a license has expired; it is valid on its last day. */
export function hasExpired(expiresOn: string | null | undefined): boolean {
  return Boolean(expiresOn) && String(expiresOn) < today('UTC');
}

/** Return the corrections of the license: only what differs from the claim. */
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
 * Return the request body. `prefilled` is the initial license of the form, so that only changes by
 * staff count as corrections, even if the doctor has updated the application meanwhile.
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
    // This rejects the application; an existing approval is revoked by another button.
    ...(context.doctor.isApproved && { keepApproval: true }),
    reason: values.reason.trim(),
    ...seen,
  };
}

/** Describe the unchecked items. */
export function uncheckedLabels(checklist: readonly string[]): string[] {
  return CHECKLIST_KEYS.filter((key) => !checklist.includes(key)).map((key) =>
    i18n._(CHECKLIST_LABELS[key]),
  );
}

/** The label of the state of a case. */
export const CASE_STATE_LABELS: Record<Case['state'], MessageDescriptor> = {
  open: msg({ message: 'Waiting', context: 'application' }),
  approved: msg({ message: 'Approved', context: 'application' }),
  rejected: msg({ message: 'Rejected', context: 'application' }),
  withdrawn: msg({ message: 'Withdrawn', context: 'application' }),
  revoked: msg({ message: 'Revoked', context: 'application' }),
};
