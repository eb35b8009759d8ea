import { withoutEmpty } from '@/lib/validate';

/** A new password, typed twice. */
export interface NewPassword {
  newPassword: string;
  confirmPassword: string;
}

/** The specification's two rules in order; only the first broken one is reported. */
export function checkNewPassword({ newPassword, confirmPassword }: NewPassword, minLength: number) {
  if (!newPassword) return withoutEmpty({ newPassword: 'Choose a password' });
  if (newPassword !== confirmPassword) {
    return withoutEmpty({ confirmPassword: 'Passwords do not match' });
  }
  return withoutEmpty({
    newPassword:
      newPassword.length < minLength
        ? `Password must be at least ${minLength} characters long`
        : undefined,
  });
}
