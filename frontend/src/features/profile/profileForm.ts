import { t } from '@lingui/core/macro';
import { useNavigate } from 'react-router-dom';
import { ApiError } from '@/api/errors';
import type { FactorBody } from '@/api/mfa';
import { updateProfileForm } from '@/api/profile';
import type { User } from '@/api/types';
import { passkeyErrorMessage } from '@/domain/session/passkeyErrorMessage';
import { useSession } from '@/domain/session/session';
import { nestFields } from '@/lib/nestedForm';
import { paths } from '@/lib/paths';
import { checkBirthDate, checkEmail, checkPhone, withoutEmpty } from '@/lib/validate';
import { toast } from '@/ui/toasts';
import type { FactorProofState } from './FactorProof';

/** Shared by the editors of all roles. */

export interface PersonValues {
  name: string;
  phone: string;
  gender: string;
  dateOfBirth: string;
  /** A new address must be confirmed before it counts. */
  email: string;
  currentPassword: string;
  image: File | null;
  removeImage: boolean;
}

export function personValues(user: User): PersonValues {
  return {
    name: user.name,
    phone: user.phone,
    gender: user.gender,
    dateOfBirth: user.dateOfBirth ?? '',
    email: user.email,
    currentPassword: '',
    image: null,
    removeImage: false,
  };
}

/** Patients and doctors provided phone and birth date at registration; admins need neither. */
export function checkPerson(
  values: PersonValues,
  user: User,
  proof: FactorProofState,
): Record<string, string> {
  const admin = user.role === 'admin';
  const changesEmail = values.email.trim() !== user.email;
  const found = withoutEmpty({
    name: values.name.trim() ? undefined : t`Enter your full name`,
    phone: admin || values.phone.trim() ? checkPhone(values.phone) : t`Enter your phone number`,
    dateOfBirth: admin && !values.dateOfBirth ? undefined : checkBirthDate(values.dateOfBirth),
    email: checkEmail(values.email),
    currentPassword:
      changesEmail && !values.currentPassword
        ? t`Enter your current password to change your email address`
        : undefined,
  });
  return { ...found, ...(changesEmail && proof.check()) };
}

export function profileErrorMessage(error: unknown): string {
  return passkeyErrorMessage(error, t`Profile update failed`);
}

/** Save the multipart form, update the session and return to the view. */
export function useSaveProfile(proof: FactorProofState) {
  const { setUser } = useSession();
  const navigate = useNavigate();
  return async (user: User, values: object) => {
    const { removeImage, currentPassword, ...rest } = values as PersonValues;
    const body = nestFields({
      ...rest,
      email: rest.email.trim(),
      ...(currentPassword && { currentPassword }),
      dateOfBirth: rest.dateOfBirth || undefined,
      ...(removeImage && { removeImage: true }),
    });
    const update = (factor: FactorBody) => updateProfileForm(user.role, { ...body, ...factor });
    const answer = await (body.email === user.email ? update({}) : proof.submitWithFactor(update));
    if (!answer.data.user) throw new ApiError(502);
    setUser(answer.data.user);
    const { pendingEmail } = answer.data.user;
    if (pendingEmail && pendingEmail !== user.pendingEmail) {
      // Only an email to the address reveals whether it is taken.
      toast.success(t`We sent an email to ${pendingEmail}. Confirm the address there.`);
    }
    toast.success(answer.message || t`Profile updated successfully`);
    navigate(paths.profile, { replace: true });
  };
}
