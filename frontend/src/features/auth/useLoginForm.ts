import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { hasCode, messageOf } from '@/api/errors';
import { logIn, type SignedIn } from '@/api/session';
import type { Role, SecondStepDue } from '@/api/types';
import { readStorage, writeStorage } from '@/lib/storage';
import { checkEmail, withoutEmpty } from '@/lib/validate';
import { type Form, useForm } from '@/ui/useForm';
import { getWrongRole } from './wrongRole';

export const LOGIN_ROLES: readonly Role[] = ['patient', 'doctor', 'admin'];
const LAST_ROLE_KEY = 'lastRole';

/** Remember the role to preset it at the next sign-in. */
export function rememberRole(role: Role): void {
  writeStorage(LAST_ROLE_KEY, role);
}

/** The role of the requested page, else the last one used, else patient. */
function likelyRole(next: string | null): Role {
  const candidates = [next?.split('/')[1], readStorage(LAST_ROLE_KEY)];
  return LOGIN_ROLES.find((role) => candidates.includes(role)) ?? 'patient';
}

export interface Login {
  role: Role;
  email: string;
  password: string;
}

interface Handlers {
  onSignedIn: (answer: SignedIn) => void;
  onSecondStepDue: (secondStep: SecondStepDue) => void;
}

/** The sign-in form. `otherRole` is the account's if the password was right and the role was not. */
export function useLoginForm(
  next: string | null,
  { onSignedIn, onSecondStepDue }: Handlers,
): { form: Form<Login>; otherRole: Role | null } {
  const { t } = useLingui();
  const [otherRole, setOtherRole] = useState<Role | null>(null);
  const form = useForm<Login>({
    values: { role: likelyRole(next), email: '', password: '' },
    validate: ({ email, password }) =>
      withoutEmpty({
        email: checkEmail(email),
        password: password ? undefined : t`Enter your password`,
      }),
    submit: async ({ role, email, password }) => {
      setOtherRole(null);
      const answer = await logIn({ role, email: email.trim(), password }).catch((error) => {
        setOtherRole(getWrongRole(error));
        throw error;
      });
      if ('token' in answer) return onSignedIn(answer);
      onSecondStepDue(answer.secondStep);
      form.set('password', '');
    },
    message: (error) => {
      const message = messageOf(error, t`Login failed`);
      // The same message for an unknown address and a wrong password, so that it does not reveal accounts.
      return hasCode(error, 'login_failed')
        ? t`${message}. That email and password don’t match.`
        : message;
    },
  });
  return { form, otherRole };
}
