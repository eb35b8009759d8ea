/** The shapes of the wire, as docs/openapi.yaml describes them. */

export type Role = 'patient' | 'doctor' | 'admin';
export type Gender = 'male' | 'female' | 'other';
export type AppointmentStatus = 'pending' | 'confirmed' | 'completed' | 'cancelled';
export type ApprovalState = 'pending' | 'approved' | 'rejected' | 'revoked';

export interface Address {
  street: string;
  city: string;
  state: string;
  zipCode: string;
}

export interface Hospital {
  name: string;
  address: Address;
  phone: string;
}

export interface Rating {
  average: number;
  count: number;
}

/** A free time: wall-clock date and time at the clinic, and the instant. */
export interface FreeTime {
  date: string;
  time: string;
  startsAt: string;
}

interface UserBase {
  _id: string;
  name: string;
  email: string;
  phone: string;
  gender: Gender;
  dateOfBirth: string;
  status: 'active' | 'inactive';
  createdAt: string;
  profilePicture: string | null;
  pendingEmail: string | null;
}

export interface PatientUser extends UserBase {
  role: 'patient';
  address: Address;
  bloodGroup: string;
}

export interface DoctorUser extends UserBase {
  role: 'doctor';
  specialization: string;
  experience: number;
  licenseNumber: string;
  consultationFee: number;
  currency: string;
  hospital: Hospital;
  workingHours: { start: string; end: string } | null;
  workingDays: string[];
  bio: string;
  isApproved: boolean;
  approval: { state: ApprovalState; reason: string };
  rating: Rating;
  timeZone: string;
  instantConfirmation: boolean;
}

export interface AdminUser extends UserBase {
  role: 'admin';
}

export type User = PatientUser | DoctorUser | AdminUser;

/** A doctor as everybody may see one. */
export interface Doctor {
  _id: string;
  name: string;
  specialization: string;
  experience: number;
  consultationFee: number;
  currency: string;
  rating: Rating;
  hospital: Hospital;
  bio: string;
  profilePicture: string | null;
  workingDays: string[];
  /** Null for a doctor without weekly hours. */
  workingHours: { start: string; end: string } | null;
  timeZone: string;
  instantConfirmation: boolean;
  nextFree: FreeTime | null;
  nextTimes: FreeTime[];
  verifiedOn: string | null;
}

export interface Slots {
  timeZone: string;
  visitMinutes: number;
  /** One entry a day, also for days without a free time. */
  slots: { date: string; times: string[] }[];
  nextFree: FreeTime | null;
}

/** A wall-clock date and time, and the zone it is read in. */
export interface LocalMoment {
  date: string;
  time: string;
  timeZone: string;
}

/** Another time that waits for an answer; whoever did not propose it answers. */
export interface Proposal {
  _id: string;
  proposedBy: 'patient' | 'doctor';
  reason: string;
  appointmentDate: string;
  appointmentTime: string;
  timeZone: string;
  startsAt: string;
  expiresAt: string;
}

/** One move of a visit. */
export interface TimeChange {
  changedAt: string;
  changedBy: 'patient' | 'doctor';
  from: LocalMoment;
  to: LocalMoment;
}

/** A time that is kept while a form is filled. Whoever knows the secret `holdId` may use it. */
export interface Hold {
  holdId: string;
  expiresAt: string;
  doctorId: string;
  startsAt: string;
}

export interface Appointment {
  _id: string;
  doctor: { _id: string; name: string; specialization: string; profilePicture: string | null };
  patient: { _id: string; name: string; email: string; phone: string };
  hospital: Hospital;
  appointmentDate: string;
  appointmentTime: string;
  timeZone: string;
  startsAt: string;
  endsAt: string;
  status: AppointmentStatus;
  symptoms: string;
  notes: { patient: string; doctor: string };
  diagnosis: string;
  prescription: { notes: string };
  consultationFee: number;
  currency: string;
  createdAt: string;
  respondBy: string | null;
  cancelledBy: 'patient' | 'doctor' | 'admin' | 'system' | null;
  /** `expired` with `cancelledBy: 'system'`: nobody answered the request in time. */
  cancelReason: string;
  /** The patient's "I cannot come". */
  cancelRequest: { requestedAt: string; reason: string } | null;
  proposal: Proposal | null;
  /** Kept by the doctor although the hours no longer cover it. */
  outsideHours: boolean;
  version: number;
}

/** What the page of one visit shows. */
export interface AppointmentDetail {
  appointment: Appointment;
  history: TimeChange[];
  /** The nearest free times, when a request has expired. */
  alternatives: FreeTime[];
}

/** A stretch of one day on the clinic's clock; `end` may be 24:00. */
export interface Interval {
  start: string;
  end: string;
}

export type Weekday =
  | 'monday'
  | 'tuesday'
  | 'wednesday'
  | 'thursday'
  | 'friday'
  | 'saturday'
  | 'sunday';

export type Week = Record<Weekday, Interval[]>;

/** When a doctor sees patients; overrides and blocked hours from today on. */
export interface Schedule {
  timeZone: string;
  visitMinutes: number;
  bufferMinutes: number;
  minNoticeMinutes: number;
  maxDaysAhead: number;
  instantConfirmation: boolean;
  weeklyHours: Week;
  /** The hours of one date instead of its weekday's; without hours a day off. */
  overrides: { date: string; hours: Interval[]; reason: string }[];
  blocked: ({ date: string; reason: string } & Interval)[];
}

/** A visit that a change of hours would leave outside them. */
export interface AffectedVisit {
  _id: string;
  patientName: string;
  appointmentDate: string;
  appointmentTime: string;
  startsAt: string;
  status: AppointmentStatus;
  mayCancel: boolean;
  /** The nearest free times under the new hours. */
  alternatives: FreeTime[];
}

/** What happens to an affected visit: it stays, it ends, or another time is proposed. */
export type Decision = 'keep' | 'cancel' | { date: string; time: string };

/** Whether a time can be booked; the doctor also learns why not. */
export interface Explanation {
  open: boolean;
  reason?: string | null;
}

export interface Page {
  page: number;
  pageSize: number;
  hasNext: boolean;
  count: number;
  /** Counting stops at 1,000; shown as "1,000+" then. */
  countIsExact: boolean;
}

export interface Config {
  currency: string;
  demoAccounts: { role: Role; email: string; password: string }[];
  bookableTimes: string[];
  specializations: string[];
  filterSpecializations: string[];
  bloodGroups: string[];
  passwordMinLength: number;
  policies: {
    patientCancelsConfirmedUntilHours: number | null;
    doctorCancelsConfirmed: boolean;
    pictureLinks: boolean;
  };
  idleMinutes: Record<Role, number>;
  homeClaims: { patients: string; rating: string; support: string };
  contact: { email: string; phone: string; address: string };
}

export interface SessionRow {
  _id: string;
  current: boolean;
  createdAt: string;
  lastSeenAt: string;
  userAgent: string;
  ipAddress: string | null;
}
