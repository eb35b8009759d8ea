import type { Appointment, Config } from '@/api/types';

/**
 * What is legal now, for showing the right buttons. The server decides: `Appointment.move_to` in
 * appointments/models.py, and what stands beside a rule below.
 */
export const appointmentCan = {
  patientCancel(visit: Appointment, policies?: Config['policies'], now = Date.now()): boolean {
    if (visit.status === 'pending') return true;
    const hours = policies?.patientCancelsConfirmedUntilHours ?? null;
    return (
      visit.status === 'confirmed' &&
      hours !== null &&
      new Date(visit.startsAt).getTime() - now >= hours * 3_600_000
    );
  },
  /** Move to another free time: appointments/moving.py, `reschedule`. */
  patientMove: (visit: Appointment, now = Date.now()): boolean =>
    visit.status === 'pending' &&
    now < new Date(visit.startsAt).getTime() &&
    (visit.respondBy === null || now < new Date(visit.respondBy).getTime()),
  /** Propose another time: appointments/moving.py, `propose`. */
  patientPropose: (visit: Appointment, now = Date.now()): boolean =>
    visit.status === 'confirmed' &&
    visit.proposal === null &&
    now < new Date(visit.startsAt).getTime(),
  /** Say "I cannot come": appointments/moving.py, `ask_to_cancel`. */
  patientAskToCancel: (visit: Appointment, now = Date.now()): boolean =>
    visit.status === 'confirmed' &&
    visit.cancelRequest === null &&
    now < new Date(visit.startsAt).getTime(),
  /** Propose another time to the patient: appointments/moving.py, `propose`. */
  doctorPropose: (visit: Appointment, now = Date.now()): boolean =>
    (visit.status === 'pending' || visit.status === 'confirmed') &&
    visit.proposal === null &&
    now < new Date(visit.startsAt).getTime() &&
    (visit.respondBy === null || now < new Date(visit.respondBy).getTime()),
  confirm: (visit: Appointment): boolean => visit.status === 'pending',
  doctorCancel: (visit: Appointment, policies?: Config['policies']): boolean =>
    visit.status === 'pending' ||
    (visit.status === 'confirmed' && policies?.doctorCancelsConfirmed === true),
  complete: (visit: Appointment): boolean => visit.status === 'confirmed',
  /** Say that the patient did not come, or take that back; not before the visit has begun. */
  setAttended: (visit: Appointment, attended: boolean, now = Date.now()): boolean =>
    now >= new Date(visit.startsAt).getTime() &&
    ((visit.status === 'confirmed' && !attended) ||
      (visit.status === 'completed' && visit.attended === !attended)),
  /** Write down what was found: appointments/records.py. */
  write: (visit: Appointment): boolean =>
    visit.status === 'confirmed' || visit.status === 'completed',
  adminCancel: (visit: Appointment): boolean =>
    visit.status === 'pending' || visit.status === 'confirmed',
};
