import { useNavigate } from 'react-router-dom';
import { updateProfileForm } from '@/api/calls';
import { ApiError, messageOf } from '@/api/errors';
import type { Role, User } from '@/api/types';
import { useSession } from '@/domain/session/session';
import { nest } from '@/lib/nested';
import { paths } from '@/lib/paths';
import { checkBirthDate, checkPhone, complaints } from '@/lib/validate';
import { notify } from '@/ui/notices';

/** What the editors of all roles share. */

export interface PersonValues {
  name: string;
  phone: string;
  gender: string;
  dateOfBirth: string;
  image: File | null;
  removeImage: boolean;
}

export function personValues(user: User): PersonValues {
  return {
    name: user.name,
    phone: user.phone,
    gender: user.gender,
    dateOfBirth: user.dateOfBirth ?? '',
    image: null,
    removeImage: false,
  };
}

/** Patients and doctors gave phone and birth date at registration; admins need neither. */
export function checkPerson(values: PersonValues, role: Role): Record<string, string> {
  const admin = role === 'admin';
  return complaints({
    name: values.name.trim() ? undefined : 'Enter your full name',
    phone: admin || values.phone.trim() ? checkPhone(values.phone) : 'Enter your phone number',
    dateOfBirth: admin && !values.dateOfBirth ? undefined : checkBirthDate(values.dateOfBirth),
  });
}

export function profileFailure(error: unknown): string {
  return messageOf(error, 'Profile update failed');
}

/** Save the multipart form, put the answer in place and go back to the view. */
export function useSaveProfile() {
  const { setUser } = useSession();
  const navigate = useNavigate();
  return async (user: User, values: object) => {
    const { removeImage, ...rest } = values as PersonValues;
    const body = nest({
      ...rest,
      dateOfBirth: rest.dateOfBirth || undefined,
      ...(removeImage && { removeImage: true }),
    });
    const answer = await updateProfileForm(user.role, body);
    if (!answer.data.user) throw new ApiError(502);
    setUser(answer.data.user);
    notify.success(answer.message || 'Profile updated successfully');
    navigate(paths.profile, { replace: true });
  };
}
