import { t } from '@lingui/core/macro';
import type { DoctorUser } from '@/api/types';
import { checkHours, checkNotNegative, withoutEmpty } from '@/lib/validate';
import type { FactorProofState } from './FactorProof';
import { checkPerson, personValues } from './profileForm';

/** Values and validation of a doctor's profile. */

export function doctorValues(user: DoctorUser) {
  const { hospital } = user;
  return {
    ...personValues(user),
    specialization: user.specialization as string,
    experience: String(user.experience),
    licenseNumber: user.licenseNumber,
    consultationFee: String(user.consultationFee),
    bio: user.bio,
    'hospital.name': hospital.name,
    'hospital.address.street': hospital.address.street,
    'hospital.address.city': hospital.address.city,
    'hospital.address.state': hospital.address.state,
    'hospital.address.zipCode': hospital.address.zipCode,
    'hospital.address.country': hospital.address.country,
    'hospital.phone': hospital.phone,
    'workingHours.start': user.workingHours?.start ?? '',
    'workingHours.end': user.workingHours?.end ?? '',
    workingDays: user.workingDays as string[],
    timeZone: user.timeZone,
    instantConfirmation: user.instantConfirmation,
  };
}

export type DoctorValues = ReturnType<typeof doctorValues>;

export function checkDoctor(
  values: DoctorValues,
  user: DoctorUser,
  proof: FactorProofState,
): Record<string, string> {
  return {
    ...checkPerson(values, user, proof),
    ...withoutEmpty({
      specialization: values.specialization ? undefined : t`Choose your specialization`,
      experience: values.experience
        ? checkNotNegative(values.experience, t`Experience must be 0 or more`)
        : t`Enter your years of experience`,
      licenseNumber: values.licenseNumber.trim() ? undefined : t`Enter your license number`,
      consultationFee: values.consultationFee
        ? checkNotNegative(values.consultationFee, t`The fee must be 0 or more`)
        : t`Enter your consultation fee`,
      'hospital.name': values['hospital.name'].trim()
        ? undefined
        : t`Enter the name of your hospital or practice`,
      // Hours past midnight are shown here and can only be changed in the schedule.
      'workingHours.start': hasNewHours(values, doctorValues(user))
        ? checkHours(values['workingHours.start'], values['workingHours.end'])
        : undefined,
    }),
  };
}

function hasNewHours(values: DoctorValues, before: DoctorValues): boolean {
  return (
    values['workingHours.start'] !== before['workingHours.start'] ||
    values['workingHours.end'] !== before['workingHours.end']
  );
}

/** Leave out unchanged hours and days: the server may have more detailed ones. */
export function changedValues(values: DoctorValues, before: DoctorValues): object {
  const changedEntries = Object.entries(values).filter(([name, value]) => {
    if (name === 'workingDays') return String(value) !== String(before.workingDays);
    if (name.startsWith('workingHours.')) {
      return values['workingHours.start'] !== '' && hasNewHours(values, before);
    }
    return true;
  });
  return Object.fromEntries(changedEntries);
}
