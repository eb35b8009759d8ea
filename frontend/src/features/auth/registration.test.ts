import { describe, expect, it } from 'vitest';
import {
  checkRegistration,
  emptyRegistration,
  registrationBody,
  summaryErrors,
} from './registration';

const filled = {
  ...emptyRegistration,
  name: 'Pat Field',
  email: 'pat@example.com',
  phone: '+1 617 555 0123',
  dateOfBirth: '1985-03-27',
  password: 'harbor-lamp',
  confirmPassword: 'harbor-lamp',
  agreedToPrivacy: true,
};
const doctor = {
  ...filled,
  role: 'doctor' as const,
  specialization: 'Cardiology',
  experience: '12',
  licenseNumber: 'MA-1',
  consultationFee: '120.50',
  'hospital.name': 'Harbor Clinic',
};

describe('checkRegistration', () => {
  it('accepts a complete form', () => {
    expect(checkRegistration(filled, 6)).toEqual({});
    expect(checkRegistration(doctor, 6)).toEqual({});
  });

  it('checks that passwords match, then the length, then the doctor fields', () => {
    const nothing = { ...doctor, password: 'abc', confirmPassword: 'abd', licenseNumber: '' };
    expect(checkRegistration(nothing, 6)).toEqual({ confirmPassword: 'Passwords do not match' });
    const short = { ...nothing, confirmPassword: 'abc' };
    expect(checkRegistration(short, 6)).toEqual({
      password: 'Password must be at least 6 characters long',
    });
    const sentence = 'Please fill in all required doctor fields';
    const missing = { ...doctor, licenseNumber: ' ', experience: '' };
    const found = checkRegistration(missing, 6);
    expect(found).toEqual({ experience: sentence, licenseNumber: sentence });
    expect(summaryErrors({ ...found, name: 'Enter your full name' })).toEqual({
      experience: `${sentence}: Years of experience`,
      licenseNumber: `${sentence}: License number`,
      name: 'Enter your full name',
    });
  });

  it('reports every empty required field', () => {
    expect(Object.keys(checkRegistration(emptyRegistration, 6))).toEqual([
      'name',
      'email',
      'phone',
      'dateOfBirth',
      'password',
      'confirmPassword',
      'agreedToPrivacy',
    ]);
  });

  it('reports what the server would refuse later', () => {
    const wrong = { ...doctor, phone: 'abc', 'hospital.phone': '12' };
    const sentence = 'Enter a phone number like +1 202 555 0100.';
    expect(checkRegistration(wrong, 6)).toEqual({ phone: sentence, 'hospital.phone': sentence });
    const date = { ...filled, phone: '1985-03-27' };
    expect(checkRegistration(date, 6)).toEqual({ phone: `This looks like a date. ${sentence}` });
    for (const phone of [
      '(617) 555-0123',
      '+44 20.7946/0958',
      '+1 202 555 0100 ext. 12',
      '020 7946 0018 x3',
      '٢٠٢٥٥٥٠١٠٠',
    ]) {
      expect(checkRegistration({ ...filled, phone }, 6)).toEqual({});
    }
  });

  it.each([
    ['85-3-2', 'Enter your year of birth with four digits, such as 1985'],
    ['-3-2', 'Enter your year of birth with four digits, such as 1985'],
    ['1985-3-', 'Enter a valid date of birth, such as 27 3 1985'],
    ['1985-13-2', 'Enter a valid date of birth, such as 27 3 1985'],
    ['1985-2-31', 'Enter a valid date of birth, such as 27 3 1985'],
    ['2999-2-31', 'Your date of birth must be in the past'],
    ['2999-03-31', 'Your date of birth must be in the past'],
    ['1899-12-31', 'Enter a date of birth in or after 1900'],
  ])('explains the error of the birth date %s', (dateOfBirth, sentence) => {
    expect(checkRegistration({ ...filled, dateOfBirth }, 6)).toEqual({ dateOfBirth: sentence });
  });

  it('refuses negative numbers and hours that end before they start', () => {
    const wrong = {
      ...doctor,
      experience: '-1',
      consultationFee: '-0.01',
      'workingHours.start': '18:00',
      'workingHours.end': '09:00',
    };
    expect(Object.keys(checkRegistration(wrong, 6))).toEqual([
      'experience',
      'consultationFee',
      'workingHours.start',
    ]);
  });
});

describe('registrationBody', () => {
  it('contains only fields of the role and leaves out blank ones', () => {
    const body = registrationBody({ ...filled, specialization: 'Cardiology' });
    expect(body).toEqual({
      role: 'patient',
      name: 'Pat Field',
      email: 'pat@example.com',
      phone: '+1 617 555 0123',
      dateOfBirth: '1985-03-27',
      gender: 'male',
      password: 'harbor-lamp',
      confirmPassword: 'harbor-lamp',
      agreedToPrivacy: true,
      timeZone: expect.any(String),
    });
  });

  it('nests the practice and sends numbers as numbers', () => {
    expect(registrationBody({ ...doctor, workingDays: ['monday'] })).toMatchObject({
      experience: 12,
      consultationFee: 120.5,
      hospital: { name: 'Harbor Clinic' },
      workingDays: ['monday'],
    });
  });
});
