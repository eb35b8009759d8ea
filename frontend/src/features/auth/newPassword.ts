import { complaints } from '@/lib/validate';

/** A new password, typed twice. */
export interface NewPassword {
  newPassword: string;
  confirmPassword: string;
}

/** The specification's two rules, in its order: only the first that is broken speaks. */
export function checkNewPassword({ newPassword, confirmPassword }: NewPassword, minLength: number) {
  if (!newPassword) return complaints({ newPassword: 'Choose a password' });
  if (newPassword !== confirmPassword) {
    return complaints({ confirmPassword: 'Passwords do not match' });
  }
  return complaints({
    newPassword:
      newPassword.length < minLength
        ? `Password must be at least ${minLength} characters long`
        : undefined,
  });
}
