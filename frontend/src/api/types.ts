/** The shapes of the wire: made from docs/openapi.yaml by `npm run client`, under the names used here. */

import type {
  AppointmentDetailData,
  HoldData,
  Pagination,
  Role,
  Session,
  SiteConfigData,
  SlotsData,
  Appointment as WireAppointment,
} from './generated';

export type {
  Address,
  AdminUser,
  AppointmentStatus,
  ApprovalState,
  Doctor,
  DoctorUser,
  FreeTime,
  PatientUser,
  Rating,
  Role,
  User,
} from './generated';

type Clinical = 'symptoms' | 'notes' | 'diagnosis' | 'prescription';

/** A visit as its patient and its doctor see it. An admin gets it without the clinical texts. */
export type Appointment = Omit<WireAppointment, Clinical | 'cancelledBy'> &
  Required<Pick<WireAppointment, Clinical>> & {
    cancelledBy: Role | 'system' | null;
  };

/** What the page of one visit shows. */
export type AppointmentDetail = Omit<AppointmentDetailData, 'appointment'> & {
  appointment: Appointment;
};

export type Config = SiteConfigData;
export type Hold = HoldData;
export type Page = Pagination;
export type SessionRow = Session;
export type Slots = SlotsData;
