import { useEffect } from 'react';
import { readTabDraft, removeTabDraft, writeTabDraft } from '@/lib/tabDrafts';
import { emptyRegistration, type Registration } from './registration';

/**
 * Text typed on the registration page, kept in this tab across reloads until the account exists or
 * the tab is closed. Passwords are never kept, and consent must be given again.
 */
const DRAFT_NAME = 'registration';
const EXCLUDED_FIELDS: readonly string[] = ['password', 'confirmPassword', 'agreedToPrivacy'];

/** Return the draft; the role in the URL takes precedence over its role. */
export function readRegistrationDraft(requestedRole: string | null): Partial<Registration> {
  const found = readTabDraft(DRAFT_NAME) as { requestedRole?: unknown; values?: unknown } | null;
  const kept = Object.entries(found?.values ?? {}).filter(
    ([name, value]) => !EXCLUDED_FIELDS.includes(name) && hasSameType(name, value),
  );
  const values: Partial<Registration> = Object.fromEntries(kept);
  if (values.role !== 'doctor' && values.role !== 'patient') delete values.role;
  if (found?.requestedRole !== requestedRole) delete values.role;
  return values;
}

/** Save the draft while nobody is signed in. */
export function useRegistrationDraft(
  values: Registration,
  requestedRole: string | null,
  isSignedOut: boolean,
): void {
  useEffect(() => {
    if (!isSignedOut) return;
    const kept = Object.entries(values).filter(([name]) => !EXCLUDED_FIELDS.includes(name));
    writeTabDraft(DRAFT_NAME, { requestedRole, values: Object.fromEntries(kept) });
  }, [values, requestedRole, isSignedOut]);
}

export function removeRegistrationDraft(): void {
  removeTabDraft(DRAFT_NAME);
}

function hasSameType(name: string, value: unknown): boolean {
  if (!Object.hasOwn(emptyRegistration, name)) return false;
  const empty = emptyRegistration[name as keyof Registration];
  if (!Array.isArray(empty)) return typeof value === typeof empty;
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
