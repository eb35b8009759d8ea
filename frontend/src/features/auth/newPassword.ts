import { t } from '@lingui/core/macro';
import { withoutEmpty } from '@/lib/validate';

/** A new password, typed twice. */
export interface NewPassword {
  newPassword: string;
  confirmPassword: string;
}

/** The specification's two rules in order; only the first broken one is reported. */
export function checkNewPassword({ newPassword, confirmPassword }: NewPassword, minLength: number) {
  if (!newPassword) return withoutEmpty({ newPassword: t`Choose a password` });
  if (newPassword !== confirmPassword) {
    return withoutEmpty({ confirmPassword: t`Passwords do not match` });
  }
  return withoutEmpty({
    newPassword:
      newPassword.length < minLength
        ? t`Password must be at least ${minLength} characters long`
        : undefined,
  });
}
