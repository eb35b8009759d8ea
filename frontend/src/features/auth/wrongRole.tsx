import { hasCode } from '@/api/errors';
import type { Role } from '@/api/types';
import { Button } from '@/ui/Button';

const SIGN_IN_LABELS: Record<Role, string> = {
  patient: 'Sign in as a patient',
  doctor: 'Sign in as a doctor',
  admin: 'Sign in as an admin',
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
  return (
    <Button variant="secondary" busy={busy} busyLabel="Signing in..." onClick={onClick}>
      {SIGN_IN_LABELS[role]}
    </Button>
  );
}
