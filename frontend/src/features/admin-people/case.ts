import type { Verdict } from '@/api/people';
import type { Case, Checklist, StaffDoctor } from '@/api/types';
import { browserZone, inZone, isDate, today } from '@/lib/dates';

/** What staff look at before they decide; doctors/models.py CHECKLIST. */
export const CHECKS: Record<keyof Checklist, string> = {
  identity: 'The person is who they say they are',
  license: 'The licence is genuine and in force',
  register: 'The authority’s register lists it under this name',
  specialization: 'The specialization is covered by it',
};

export const CHECK_KEYS = Object.keys(CHECKS) as (keyof Checklist)[];

/** The day of an instant on this computer's clock. */
export const dayOf = (instant: string): string => inZone(instant, browserZone()).date;

/** A licence, as claimed in a case or as it stands in the profile. */
export type License = Pick<
  StaffDoctor,
  'licenseNumber' | 'licenseAuthority' | 'licenseRegion' | 'licenseExpiresOn'
>;

export interface DecisionValues {
  checklist: string[];
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
    note: '',
    reason: '',
    licenseNumber: license.licenseNumber,
    licenseAuthority: license.licenseAuthority,
    licenseRegion: license.licenseRegion,
    licenseExpiresOn: license.licenseExpiresOn ?? '',
  };
}

export type Wish = 'approve' | 'reject';

export function wrong(values: DecisionValues, wish: Wish): Record<string, string> {
  const errors: Record<string, string> = {};
  if (!values.licenseNumber.trim()) errors.licenseNumber = 'Please enter the licence number.';
  if (values.licenseExpiresOn && !isDate(values.licenseExpiresOn)) {
    errors.licenseExpiresOn = 'Please enter a real date, such as 31 12 2030.';
  } else if (wish === 'approve' && hasExpired(values.licenseExpiresOn)) {
    errors.licenseExpiresOn = 'This licence has run out: the doctor would not be listed.';
  }
  if (wish === 'reject' && !values.reason.trim()) {
    errors.reason = 'Please give a reason. The doctor reads it.';
  }
  return errors;
}

/** Tell whether a licence has run out; the day itself still counts. */
export function hasExpired(expiresOn: string | null | undefined): boolean {
  return Boolean(expiresOn) && String(expiresOn) < today('UTC');
}

/** What staff corrected of the licence: only what is not as it was claimed. */
export function corrections(values: DecisionValues, claimed: License): Partial<Verdict> {
  const changed: Partial<Verdict> = {};
  for (const key of LICENSE_KEYS) {
    const wanted = values[key].trim();
    if (wanted !== claimed[key]) changed[key] = wanted;
  }
  const expiry = values.licenseExpiresOn || null;
  if (expiry !== claimed.licenseExpiresOn) changed.licenseExpiresOn = expiry;
  return changed;
}

/**
 * What goes to the server. `prefilled` is the licence that the form began with, so that only what staff
 * changed counts as a correction, also where the doctor has changed the application meanwhile.
 */
export function verdictOf(
  values: DecisionValues,
  prefilled: License,
  wish: Wish,
  about: { doctor: Pick<StaffDoctor, 'isApproved'>; shown?: Pick<Case, 'revision'> },
): Verdict {
  const checklist = Object.fromEntries(
    CHECK_KEYS.map((key) => [key, values.checklist.includes(key)]),
  );
  const seen = { note: values.note.trim(), checklist, caseRevision: about.shown?.revision };
  if (wish === 'approve') return { isApproved: true, ...seen, ...corrections(values, prefilled) };
  return {
    isApproved: false,
    // What is turned down is the application; an approval that stands is revoked by its own button.
    ...(about.doctor.isApproved && { keepApproval: true }),
    reason: values.reason.trim(),
    ...seen,
  };
}

/** What was not looked at, in words. */
export function unchecked(checklist: readonly string[]): string[] {
  return CHECK_KEYS.filter((key) => !checklist.includes(key)).map((key) => CHECKS[key]);
}

/** The state of a case in a word. */
export const CASE_STATES: Record<Case['state'], string> = {
  open: 'Waiting',
  approved: 'Approved',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
  revoked: 'Revoked',
};
