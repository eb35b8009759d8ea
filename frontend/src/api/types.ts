/** Types of the API, generated from docs/openapi.yaml by `npm run client`. */

import type {
  AbsenceRequest,
  AppointmentWithRecordData,
  DraftOnWire,
  RecordOnWire,
  ShownWeeklyHours,
  DraftItem as WireDraftItem,
} from './generated';

export type {
  AccountStatus,
  Address,
  AdminUser,
  AffectedAppointment,
  Appointment,
  AppointmentDetailData as AppointmentDetail,
  AppointmentStatus,
  AppointmentsData as AppointmentList,
  ApprovalState,
  AttachmentOnWire as Attachment,
  BookingDraftChangesRequest as BookingDraft,
  CalendarAppointment,
  CalendarData as Calendar,
  CalendarDay,
  Case,
  CaseKind,
  Checklist,
  Correction,
  DashboardData as Dashboard,
  DecisionWaiting,
  Doctor,
  DoctorCaseData as DoctorFile,
  DoctorForStaff as StaffDoctor,
  DoctorPage,
  DoctorTotals as StaffDoctorTotals,
  DoctorUser,
  DraftOnWire as WireDraft,
  Effects,
  Evidence as MissingEvidence,
  FreeTime,
  Gender,
  KeptTime,
  ListedUser,
  Notice,
  NoticeSettingsData as NoticeSettings,
  NoticeSettingsRequest as NoticeChanges,
  NoticesData as NoticeList,
  OnePatient as PatientFacts,
  OverviewData as Overview,
  Pagination as Page,
  Passkey,
  Patient as PatientRow,
  PatientOfAppointment as AppointmentPatient,
  PatientUser,
  PrescribedItem,
  ProposalOnWire as Proposal,
  Rating,
  Reader,
  RecordOnWire as AppointmentRecord,
  Role,
  SecondStep,
  SecondStepDue,
  SecretData as SecretShown,
  Session as SessionRow,
  ShownAbsence as Absence,
  ShownSchedule as Schedule,
  ShownSpan as Interval,
  ShownWeeklyHours as Week,
  SiteConfigData as Config,
  SlotsData as Slots,
  StandingBlocked as BlockedTime,
  TimeChange,
  UnreadData as Unread,
  User,
  UserTotals,
} from './generated';

/** What a doctor writes about an appointment; version 0 of a record is the empty one before it. */
export type RecordContent = Omit<RecordOnWire, 'version' | 'writtenAt'>;

export type DraftItem = Required<WireDraftItem>;

/** A draft of a record: numbers stay text as typed. */
export interface DraftContent {
  diagnosis: string;
  notes: string;
  prescription: { notes: string; items: DraftItem[] };
  followUpDays: string | number | null;
}

export type Draft = Omit<DraftOnWire, 'content'> & { content: DraftContent };

/** Everything of one appointment. Draft, past and patient are the doctor's alone. */
export type AppointmentFile = Omit<AppointmentWithRecordData, 'draft'> & { draft: Draft | null };

export type Weekday = keyof ShownWeeklyHours;

/** What happens to an affected appointment or proposal; with `move` the appointment moves at once. */
export type Decision = NonNullable<AbsenceRequest['visits']>[string];

/** What staff look up, and what a doctor sees of the own verification. */
export type {
  AnalyticsData as Analytics,
  AuditEvent,
  Figures,
  Group,
  OwnCase,
  OwnCasesData as OwnCases,
  ReadingDay,
} from './generated';
