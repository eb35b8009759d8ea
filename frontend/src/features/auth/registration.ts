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

/** Required fields of doctors, with the specification's shared message. */
export const REQUIRED_DOCTOR_FIELDS = {
  sentence: 'Please fill in all required doctor fields',
  names: {
    specialization: 'Specialization',
    experience: 'Years of experience',
    licenseNumber: 'License number',
    consultationFee: 'Consultation fee',
  },
};

/** Add the field name to the message that four fields share. */
export function summaryErrors(errors: Record<string, string>): Record<string, string> {
  const { sentence, names } = REQUIRED_DOCTOR_FIELDS;
  const labels: Record<string, string> = names;
  return Object.fromEntries(
    Object.entries(errors).map(([name, message]) => [
      name,
      message === sentence && labels[name] ? `${message}: ${labels[name]}` : message,
    ]),
  );
}

/** The specification's three rules in order; only the first broken one is reported. */
function firstBrokenRule(values: Registration, minLength: number): Record<string, string> {
  const { password, confirmPassword } = values;
  if (password && password !== confirmPassword) {
    return { confirmPassword: 'Passwords do not match' };
  }
  if (password && password.length < minLength) {
    return { password: `Password must be at least ${minLength} characters long` };
  }
  if (values.role === 'doctor') {
    const { sentence, names } = REQUIRED_DOCTOR_FIELDS;
    const missing = (Object.keys(names) as (keyof typeof names)[]).filter(
      (name) => !values[name].trim(),
    );
    return Object.fromEntries(missing.map((name) => [name, sentence]));
  }
  return {};
}

export function checkRegistration(values: Registration, minLength: number) {
  const doctor = values.role === 'doctor';
  return {
    ...withoutEmpty({
      name: values.name.trim() ? undefined : 'Enter your full name',
      email: checkEmail(values.email),
      phone: values.phone.trim() ? checkPhone(values.phone) : 'Enter your phone number',
      dateOfBirth: checkBirthDate(values.dateOfBirth),
      password: values.password ? undefined : 'Choose a password',
      confirmPassword:
        values.confirmPassword || values.password ? undefined : 'Type the password again',
    }),
    ...firstBrokenRule(values, minLength),
    ...(doctor &&
      withoutEmpty({
        ...(values.experience && { experience: checkNotNegative(values.experience, 'Experience') }),
        ...(values.consultationFee && {
          consultationFee: checkNotNegative(values.consultationFee, 'The fee'),
        }),
        'hospital.name': values['hospital.name'].trim()
          ? undefined
          : 'Enter the name of your hospital or practice',
        'hospital.phone': checkPhone(values['hospital.phone']),
        'workingHours.start': checkHours(values['workingHours.start'], values['workingHours.end']),
      })),
    ...withoutEmpty({
      agreedToPrivacy: values.agreedToPrivacy ? undefined : 'Please accept the privacy policy',
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
