import type { DoctorPage, FreeTime, Slots } from '@/api/types';
import { addDays, browserZone, instantOf } from '@/lib/dates';
import { doctor as account } from './users';

/** A free time on the clock of this computer, so that no second time stands beside it. */
export function freeTime(date: string, time: string): FreeTime {
  return { date, time, startsAt: instantOf(date, time, browserZone()) };
}

/** The same doctor as everybody may see her. */
export const publicDoctor: DoctorPage = {
  _id: account._id,
  name: account.name,
  specialization: account.specialization,
  experience: account.experience,
  consultationFee: account.consultationFee,
  currency: account.currency,
  rating: account.rating,
  hospital: account.hospital,
  bio: account.bio,
  profilePicture: account.profilePicture,
  workingDays: account.workingDays,
  workingHours: account.workingHours,
  weeklyHours: account.weeklyHours,
  timeZone: browserZone(),
  instantConfirmation: false,
  nextFree: null,
  nextTimes: [],
  verifiedOn: '2026-01-04',
};

/** `days` days from a date on; those named have free times. */
export function slots(from: string, days: number, free: Record<string, string[]>): Slots {
  const first = Object.entries(free)[0];
  return {
    timeZone: browserZone(),
    visitMinutes: 60,
    lastDay: addDays(from, 180),
    slots: Array.from({ length: days }, (_, at) => {
      const date = addDays(from, at);
      return { date, times: free[date] ?? [] };
    }),
    nextFree: first?.[1][0] ? freeTime(first[0], first[1][0]) : null,
  };
}
