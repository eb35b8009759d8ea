import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type { RegistrationBody } from '@/api/session';
import { browserZone } from '@/lib/dates';
import { nestFields } from '@/lib/nestedForm';
import {
  checkBirthDate,
  checkEmail,
  checkHours,
  checkNotNegative,
  checkPhone,
  withoutEmpty,
} from '@/lib/validate';

/** Values and validation of the registration form. */

export type RegistrationRole = 'patient' | 'doctor';

const commonFields = {
  role: 'patient' as RegistrationRole,
  name: '',
  email: '',
  phone: '',
  dateOfBirth: '',
  gender: 'male',
  password: '',
  confirmPassword: '',
  agreedToPrivacy: false,
};

const patientFields = {
  'address.street': '',
  'address.city': '',
  'address.state': '',
  'address.zipCode': '',
  'address.country': '',
  bloodGroup: '',
};

const doctorFields = {
  specialization: '',
  experience: '',
  licenseNumber: '',
  consultationFee: '',
  'hospital.name': '',
  'hospital.address.street': '',
  'hospital.address.city': '',
  'hospital.address.state': '',
  'hospital.address.zipCode': '',
  'hospital.address.country': '',
  'hospital.phone': '',
  'workingHours.start': '',
  'workingHours.end': '',
  workingDays: [] as string[],
  bio: '',
};

export const emptyRegistration = { ...commonFields, ...patientFields, ...doctorFields };
export type Registration = typeof emptyRegistration;

/** The labels of the fields that doctors must fill in; they share a message. */
export const REQUIRED_DOCTOR_FIELDS = {
  specialization: msg`Specialization`,
  experience: msg`Years of experience`,
  licenseNumber: msg`License number`,
  consultationFee: msg`Consultation fee`,
};

type RequiredDoctorField = keyof typeof REQUIRED_DOCTOR_FIELDS;

function missingDoctorFieldText(): string {
  return t`Please fill in all required doctor fields`;
}

/** Add the field name to the message that four fields share. */
export function summaryErrors(errors: Record<string, string>): Record<string, string> {
  const shared = missingDoctorFieldText();
  const labels: Record<string, MessageDescriptor> = REQUIRED_DOCTOR_FIELDS;
  return Object.fromEntries(
    Object.entries(errors).map(([name, message]) => {
      const label = labels[name];
      if (!label || message !== shared) return [name, message];
      const field = i18n._(label);
      return [name, t`Please fill in all required doctor fields: ${field}`];
    }),
  );
}

/** The specification's three rules in order; only the first broken one is reported. */
function firstBrokenRule(values: Registration, minLength: number): Record<string, string> {
  const { password, confirmPassword } = values;
  if (password && password !== confirmPassword) {
    return { confirmPassword: t`Passwords do not match` };
  }
  if (password && password.length < minLength) {
    return { password: t`Password must be at least ${minLength} characters long` };
  }
  if (values.role === 'doctor') {
    const names = Object.keys(REQUIRED_DOCTOR_FIELDS) as RequiredDoctorField[];
    const missing = names.filter((name) => !values[name].trim());
    return Object.fromEntries(missing.map((name) => [name, missingDoctorFieldText()]));
  }
  return {};
}

export function checkRegistration(values: Registration, minLength: number) {
  const doctor = values.role === 'doctor';
  return {
    ...withoutEmpty({
      name: values.name.trim() ? undefined : t`Enter your full name`,
      email: checkEmail(values.email),
      phone: values.phone.trim() ? checkPhone(values.phone) : t`Enter your phone number`,
      dateOfBirth: checkBirthDate(values.dateOfBirth),
      password: values.password ? undefined : t`Choose a password`,
      confirmPassword:
        values.confirmPassword || values.password ? undefined : t`Enter the password again`,
    }),
    ...firstBrokenRule(values, minLength),
    ...(doctor &&
      withoutEmpty({
        ...(values.experience && {
          experience: checkNotNegative(values.experience, t`Experience must be 0 or more`),
        }),
        ...(values.consultationFee && {
          consultationFee: checkNotNegative(values.consultationFee, t`The fee must be 0 or more`),
        }),
        'hospital.name': values['hospital.name'].trim()
          ? undefined
          : t`Enter the name of your hospital or practice`,
        'hospital.phone': checkPhone(values['hospital.phone']),
        'workingHours.start': checkHours(values['workingHours.start'], values['workingHours.end']),
      })),
    ...withoutEmpty({
      agreedToPrivacy: values.agreedToPrivacy ? undefined : t`Please accept the privacy policy`,
    }),
  };
}

/** Return the request body: fields of the role, without blank ones. */
export function registrationBody(values: Registration): RegistrationBody {
  const others = values.role === 'doctor' ? patientFields : doctorFields;
  const body: Record<string, unknown> = { timeZone: browserZone() };
  for (const [name, value] of Object.entries(values)) {
    if (name in others || value === '' || (Array.isArray(value) && value.length === 0)) continue;
    const isNumber = name === 'experience' || name === 'consultationFee';
    body[name] = isNumber ? Number(value) : value;
  }
  return nestFields(body) as RegistrationBody;
}
