/** The shapes of the wire: made from docs/openapi.yaml by `npm run client`, under the names used here. */

import type {
  AppointmentDetailData,
  AppointmentStatus,
  AppointmentWithRecordData,
  DashboardData,
  DoctorCaseData,
  DraftOnWire,
  ExplainData,
  HoldData,
  OverviewData,
  Pagination,
  ProposalOnWire,
  RecordOnWire,
  Role,
  Session,
  ShownAbsence,
  ShownSchedule,
  ShownSpan,
  ShownWeeklyHours,
  SiteConfigData,
  SlotsData,
  AffectedAppointment as WireAffectedAppointment,
  Appointment as WireAppointment,
  DraftItem as WireDraftItem,
  Effects as WireEffects,
  TimeChange as WireTimeChange,
} from './generated';

export type {
  AccountStatus,
  AddedData as AddedSecondStep,
  AddedPasskeyData as AddedPasskey,
  Address,
  AdminUser,
  AppointmentCounts as StatusCounts,
  AppointmentStatus,
  ApprovalState,
  AttachmentOnWire as Attachment,
  BookingDraftChangesRequest as BookingDraft,
  CalendarAppointment,
  CalendarData as Calendar,
  CalendarDay,
  CalendarFeedData as CalendarFeed,
  Case,
  CaseKind,
  CeremonyData as PasskeyCeremony,
  Checklist,
  DecisionWaiting,
  Doctor,
  DoctorForStaff as StaffDoctor,
  DoctorPage,
  DoctorTotals as StaffDoctorTotals,
  DoctorUser,
  Evidence as MissingEvidence,
  FreeTime,
  KeptTime,
  ListedUser,
  NewCalendarFeedData as NewCalendarFeed,
  Notice,
  NoticeSettingsData as NoticeSettings,
  NoticeSettingsRequest as NoticeChanges,
  NoticesData as NoticeList,
  OnePatient as PatientFacts,
  Passkey,
  Patient as PatientRow,
  PatientOfAppointment as AppointmentPatient,
  PatientsData as Patients,
  PatientUser,
  PrescribedItem,
  Rating,
  Reader,
  RecordOnWire as AppointmentRecord,
  RecoveryCodesData as RecoveryCodes,
  Role,
  SecondStep,
  SecondStepDue,
  SecretData as SecretShown,
  StandingBlocked as BlockedTime,
  UnreadData as Unread,
  User,
  UserTotals,
} from './generated';

type Clinical = 'symptoms' | 'notes' | 'diagnosis' | 'prescription' | 'followUpDays' | 'record';

/** An appointment as its patient and its doctor see it. An admin gets it without the clinical texts. */
export type Appointment = Omit<WireAppointment, Clinical | 'cancelledBy' | 'proposal'> &
  Required<Pick<WireAppointment, Clinical>> & {
    cancelledBy: Role | 'system' | null;
    proposal: Proposal | null;
  };

/** Another time that waits for an answer from the side that did not propose it. */
export type Proposal = Omit<ProposalOnWire, 'proposedBy'> & { proposedBy: 'patient' | 'doctor' };

/** One move of an appointment. */
export type TimeChange = Omit<WireTimeChange, 'changedBy'> & { changedBy: 'patient' | 'doctor' };

/** What the page of one appointment shows. */
export type AppointmentDetail = Omit<AppointmentDetailData, 'appointment' | 'history'> & {
  appointment: Appointment;
  history: TimeChange[];
};

/** What a doctor writes about an appointment; version 0 of a record is the empty one before it. */
export type RecordContent = Omit<RecordOnWire, 'version' | 'writtenAt'>;

export type DraftItem = Required<WireDraftItem>;

/** A record that is being written: numbers stay as they were typed. */
export interface DraftContent {
  diagnosis: string;
  notes: string;
  prescription: { notes: string; items: DraftItem[] };
  followUpDays: string | number | null;
}

export type WireDraft = DraftOnWire;
export type Draft = Omit<DraftOnWire, 'content'> & { content: DraftContent };

/** Everything of one appointment. Draft, past and patient are the doctor's alone. */
export type AppointmentFile = Omit<AppointmentWithRecordData, 'appointment' | 'draft' | 'past'> & {
  appointment: Appointment;
  draft: Draft | null;
  past: Appointment[];
};

type DashboardRows =
  | 'waiting'
  | 'waitingForPatient'
  | 'asking'
  | 'next'
  | 'today'
  | 'unfinished'
  | 'recent';

/** A doctor's day at a glance; its rows are whole appointments. */
export type Dashboard = Omit<DashboardData, DashboardRows> & Record<DashboardRows, Appointment[]>;

/** What an act on an account does, or would do, to the appointments of its person. */
export type Effects = Omit<WireEffects, 'appointments'> & { appointments: Appointment[] };

/** What the admin's dashboard shows. */
export type Overview = Omit<OverviewData, 'stranded'> & {
  stranded: { count: number; appointments: Appointment[] };
};

/** A doctor at the admin's desk, with every application, the newest first. */
export type DoctorFile = DoctorCaseData;

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

/** An appointment that a change of hours would leave outside them. */
export type AffectedAppointment = Omit<WireAffectedAppointment, 'status'> & {
  status: AppointmentStatus;
};

/** What happens to an affected appointment or proposal; with `move` the appointment moves at once. */
export type Decision = 'keep' | 'cancel' | 'withdraw' | { date: string; time: string; move?: true };

/** Time off from one date and time to another. */
export type Absence = ShownAbsence;

/** Whether a time can be booked; the doctor also learns why not. */
export type Explanation = ExplainData;

/** What staff look up, and what a doctor sees of the own verification. */
export type {
  AnalyticsData as Analytics,
  AuditEvent,
  Figures,
  Group,
  OwnCase,
  OwnCasesData as OwnCases,
  ReadingDay,
  ReadingsData,
} from './generated';
