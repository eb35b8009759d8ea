/** The shapes of the wire: made from docs/openapi.yaml by `npm run client`, under the names used here. */

import type {
  AppointmentDetailData,
  AppointmentStatus,
  DashboardData,
  ExplainData,
  HoldData,
  Pagination,
  ProposalOnWire,
  Role,
  Session,
  ShownSchedule,
  ShownSpan,
  ShownWeeklyHours,
  SiteConfigData,
  SlotsData,
  AffectedVisit as WireAffectedVisit,
  Appointment as WireAppointment,
  TimeChange as WireTimeChange,
} from './generated';

/** The doctor's desk. */
export type {
  Address,
  AdminUser,
  AppointmentCounts as StatusCounts,
  AppointmentStatus,
  ApprovalState,
  CalendarData as Calendar,
  CalendarDay,
  CalendarVisit,
  Doctor,
  DoctorUser,
  FreeTime,
  KeptTime,
  OnePatient as PatientFacts,
  Patient as PatientRow,
  PatientsData as Patients,
  PatientUser,
  Rating,
  Role,
  StandingBlocked as BlockedTime,
  User,
} from './generated';

type Clinical = 'symptoms' | 'notes' | 'diagnosis' | 'prescription';

/** One medicine as it is to be taken. */
export interface PrescribedItem {
  medicine: string;
  dose: string;
  frequency: string;
  days: number | null;
}

export interface Prescription {
  notes: string;
  items: PrescribedItem[];
}

/** What issue 4 adds to a visit. */
interface Written {
  /** Null until the visit is completed; false when the patient did not come. */
  attended: boolean | null;
  bookedBy: 'patient' | 'doctor';
  prescription: Prescription;
  followUpDays: number | null;
  /** Version 0: nothing is written yet. */
  record: { version: number; writtenAt: string | null };
}

/** A visit as its patient and its doctor see it. An admin gets it without the clinical texts. */
export type Appointment = Omit<WireAppointment, Clinical | 'cancelledBy' | 'proposal'> &
  Required<Pick<WireAppointment, Exclude<Clinical, 'prescription'>>> &
  Written & {
    cancelledBy: Role | 'system' | null;
    proposal: Proposal | null;
  };

/** Another time that waits for an answer; whoever did not propose it answers. */
export type Proposal = Omit<ProposalOnWire, 'proposedBy'> & { proposedBy: 'patient' | 'doctor' };

/** One move of a visit. */
export type TimeChange = Omit<WireTimeChange, 'changedBy'> & { changedBy: 'patient' | 'doctor' };

/** What the page of one visit shows. */
export type AppointmentDetail = Omit<AppointmentDetailData, 'appointment' | 'history'> & {
  appointment: Appointment;
  history: TimeChange[];
};

type DashboardRows = 'waiting' | 'asking' | 'next' | 'today' | 'unfinished' | 'recent';

/** A doctor's day at a glance; its rows are whole visits. */
export type Dashboard = Omit<DashboardData, DashboardRows> & Record<DashboardRows, Appointment[]>;

export type Config = SiteConfigData;
export type Hold = HoldData;
export type Page = Pagination;
export type SessionRow = Session;
export type Slots = SlotsData;

/** A stretch of one day, on the clinic's clock; `24:00` ends a day. */
export type Interval = ShownSpan;
export type Week = ShownWeeklyHours;
export type Weekday = keyof Week;
export type Schedule = ShownSchedule;

/** A visit that a change of hours would leave outside them. */
export type AffectedVisit = Omit<WireAffectedVisit, 'status'> & { status: AppointmentStatus };

/** What happens to an affected visit: it stays, it ends, or another time is proposed. */
export type Decision = 'keep' | 'cancel' | { date: string; time: string };

/** Whether a time can be booked; the doctor also learns why not. */
export type Explanation = ExplainData;
