import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { hasCode } from '@/api/errors';
import type { Role } from '@/api/types';
import { Button } from '@/ui/Button';

const SIGN_IN_LABELS: Record<Role, MessageDescriptor> = {
  patient: msg`Sign in as a patient`,
  doctor: msg`Sign in as a doctor`,
  admin: msg`Sign in as an admin`,
};

/** Return the account's role if the password was right but “Login as” named another role. */
export function getWrongRole(error: unknown): Role | null {
  const role = hasCode(error, 'wrong_role') ? error.data.role : null;
  return typeof role === 'string' && role in SIGN_IN_LABELS ? (role as Role) : null;
}

/** Sign in with the account's own role, in one click. */
export function SignInAs({
  role,
  busy,
  onClick,
}: {
  role: Role;
  busy: boolean;
  onClick: () => void;
}) {
  const { t } = useLingui();
  return (
    <Button variant="secondary" busy={busy} busyLabel={t`Signing in...`} onClick={onClick}>
      {t(SIGN_IN_LABELS[role])}
    </Button>
  );
}
