import { useEffect } from 'react';
import { readTabDraft, removeTabDraft, writeTabDraft } from '@/lib/tabDrafts';
import { emptyRegistration, type Registration } from './registration';

/**
 * What is typed on the registration page, kept in this tab so that a reload does not lose it, until the
 * account is open or the tab is closed. Passwords are never kept, and consent is given again.
 */
const NAME = 'registration';
const NEVER_KEPT: readonly string[] = ['password', 'confirmPassword', 'agreedToPrivacy'];

/** Return what was typed. An address that asks for another role than the draft's is followed. */
export function readRegistrationDraft(askedRole: string | null): Partial<Registration> {
  const found = readTabDraft(NAME) as { askedRole?: unknown; values?: unknown } | null;
  const kept = Object.entries(found?.values ?? {}).filter(
    ([name, value]) => !NEVER_KEPT.includes(name) && isOfSameKind(name, value),
  );
  const values: Partial<Registration> = Object.fromEntries(kept);
  if (values.role !== 'doctor' && values.role !== 'patient') delete values.role;
  if (found?.askedRole !== askedRole) delete values.role;
  return values;
}

/** Keep what is typed, as long as nobody is signed in. */
export function useRegistrationDraft(
  values: Registration,
  askedRole: string | null,
  isSignedOut: boolean,
): void {
  useEffect(() => {
    if (!isSignedOut) return;
    const kept = Object.entries(values).filter(([name]) => !NEVER_KEPT.includes(name));
    writeTabDraft(NAME, { askedRole, values: Object.fromEntries(kept) });
  }, [values, askedRole, isSignedOut]);
}

export function removeRegistrationDraft(): void {
  removeTabDraft(NAME);
}

function isOfSameKind(name: string, value: unknown): boolean {
  if (!Object.hasOwn(emptyRegistration, name)) return false;
  const empty = emptyRegistration[name as keyof Registration];
  if (!Array.isArray(empty)) return typeof value === typeof empty;
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
