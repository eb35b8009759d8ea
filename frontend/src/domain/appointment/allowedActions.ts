import type { Appointment, AppointmentStatus, Config } from '@/api/types';

type Action =
  | 'patientCancel'
  | 'patientMove'
  | 'patientPropose'
  | 'patientCannotCome'
  | 'patientComesAfterAll'
  | 'doctorMove'
  | 'confirm'
  | 'doctorCancel'
  | 'complete'
  | 'reopen'
  | 'markNoShow'
  | 'undoNoShow'
  | 'write'
  | 'adminCancel';

/**
 * The statuses that allow each action, for showing the right buttons. The server decides: `TRANSITIONS` and
 * `Appointment.transition_to` in appointments/models/appointment.py, appointments/scheduling/rescheduling.py for
 * other times and requests to cancel, and appointments/records/services.py for the record.
 */
const STATUSES: Record<Action, readonly AppointmentStatus[]> = {
  patientCancel: ['pending'],
  patientMove: ['pending', 'confirmed'],
  patientPropose: ['confirmed'],
  patientCannotCome: ['confirmed'],
  patientComesAfterAll: ['confirmed'],
  doctorMove: ['pending', 'confirmed'],
  confirm: ['pending'],
  doctorCancel: ['pending', 'confirmed'],
  complete: ['confirmed'],
  reopen: ['completed'],
  markNoShow: ['confirmed', 'completed'],
  undoNoShow: ['completed'],
  write: ['confirmed', 'completed'],
  adminCancel: ['pending', 'confirmed'],
};

const allows = (action: Action, { status }: Appointment) => STATUSES[action].includes(status);
const isBefore = (instant: string | null, now: number) =>
  instant !== null && now < new Date(instant).getTime();
const isAfter = (instant: string | null, now: number) =>
  instant !== null && now >= new Date(instant).getTime();

/** Whether each action is possible now: its status, then its time limits and policies. */
export const appointmentCan = {
  /** Cancel a request at once. */
  patientCancel: (appointment: Appointment): boolean => allows('patientCancel', appointment),
  /** Move to another free slot at once. */
  patientMove: (appointment: Appointment, now = Date.now()): boolean =>
    allows('patientMove', appointment) && isBefore(appointment.rescheduleUntil, now),
  /** Propose another time. */
  patientPropose: (appointment: Appointment, now = Date.now()): boolean =>
    allows('patientPropose', appointment) &&
    appointment.proposal === null &&
    !isBefore(appointment.rescheduleUntil, now) &&
    isBefore(appointment.startsAt, now),
  /** Say "I can't make it". */
  patientCannotCome: (appointment: Appointment, now = Date.now()): boolean =>
    allows('patientCannotCome', appointment) &&
    appointment.cancelRequest === null &&
    isBefore(appointment.startsAt, now),
  /** Whether "I can't make it" cancels at once; later it asks the doctor. */
  patientCancelsAtOnce: (appointment: Appointment, now = Date.now()): boolean =>
    isBefore(appointment.cancelUntil, now),
  /** Withdraw "I can't make it". */
  patientComesAfterAll: (appointment: Appointment, now = Date.now()): boolean =>
    allows('patientComesAfterAll', appointment) &&
    appointment.cancelRequest !== null &&
    isBefore(appointment.startsAt, now),
  /** Propose another time or move at once. */
  doctorMove: (appointment: Appointment, now = Date.now()): boolean =>
    allows('doctorMove', appointment) &&
    isBefore(appointment.startsAt, now) &&
    (appointment.respondBy === null || isBefore(appointment.respondBy, now)),
  confirm: (appointment: Appointment): boolean => allows('confirm', appointment),
  doctorCancel: (appointment: Appointment, policies?: Config['policies']): boolean =>
    allows('doctorCancel', appointment) &&
    (appointment.status === 'pending' || policies?.doctorCancelsConfirmed === true),
  /** From a few minutes before the start on. */
  complete: (appointment: Appointment, now = Date.now()): boolean =>
    allows('complete', appointment) && isAfter(appointment.completableFrom, now),
  /** Within a day of completing. */
  reopen: (appointment: Appointment, now = Date.now()): boolean =>
    allows('reopen', appointment) && isBefore(appointment.reopenUntil, now),
  /** Mark as a no-show after the start, or undo that. */
  setAttendance: (appointment: Appointment, attended: boolean, now = Date.now()): boolean =>
    allows(attended ? 'undoNoShow' : 'markNoShow', appointment) &&
    isAfter(appointment.startsAt, now) &&
    (appointment.status === 'confirmed' || appointment.attended === !attended),
  /** Write the record. */
  write: (appointment: Appointment): boolean => allows('write', appointment),
  adminCancel: (appointment: Appointment): boolean => allows('adminCancel', appointment),
};
