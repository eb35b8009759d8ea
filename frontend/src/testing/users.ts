import type { AdminUser, DoctorUser, PatientUser } from '@/api/types';

/** A small cast with full defaults. */

const address = {
  street: '12 Elm Street',
  city: 'Boston',
  state: 'MA',
  zipCode: '02110',
  country: 'US',
};
const person = {
  phone: '+1 617 555 0123',
  gender: 'female' as const,
  dateOfBirth: '1985-03-27',
  status: 'active' as const,
  createdAt: '2026-01-01T00:00:00Z',
  profilePicture: null,
  pendingEmail: null,
  emailConfirmed: true,
};

export const patient: PatientUser = {
  ...person,
  _id: 'p1',
  name: 'Pat Field',
  email: 'pat@example.com',
  role: 'patient',
  address,
  bloodGroup: 'O+',
};

export const doctor: DoctorUser = {
  ...person,
  _id: 'd1',
  name: 'Dr. Ana Ruiz',
  email: 'ana@example.com',
  role: 'doctor',
  specialization: 'Cardiology',
  experience: 12,
  licenseNumber: 'MA-1',
  consultationFee: 120,
  currency: 'USD',
  hospital: { name: 'Harbor Clinic', address, phone: '+1 617 555 0100' },
  workingHours: { start: '09:00', end: '18:00' },
  workingDays: ['monday'],
  weeklyHours: {
    monday: [
      { start: '09:00', end: '13:00' },
      { start: '14:00', end: '18:00' },
    ],
    tuesday: [],
    wednesday: [],
    thursday: [],
    friday: [],
    saturday: [],
    sunday: [],
  },
  hasUniformHours: true,
  bio: '',
  isApproved: true,
  approval: { state: 'approved', reason: '' },
  rating: { average: 0, count: 0 },
  timeZone: 'America/New_York',
  instantConfirmation: false,
};

export const admin: AdminUser = {
  ...person,
  _id: 'a1',
  name: 'Ada Min',
  email: 'ada@example.com',
  role: 'admin',
  secondStepDue: false,
};
