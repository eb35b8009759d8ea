import type { Appointment, Config } from '@/api/types';

/**
 * What is legal now, for showing the right buttons. The server decides: appointments/states.py.
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
  confirm: (visit: Appointment): boolean => visit.status === 'pending',
  doctorCancel: (visit: Appointment, policies?: Config['policies']): boolean =>
    visit.status === 'pending' ||
    (visit.status === 'confirmed' && policies?.doctorCancelsConfirmed === true),
  complete: (visit: Appointment): boolean => visit.status === 'confirmed',
  adminCancel: (visit: Appointment): boolean =>
    visit.status === 'pending' || visit.status === 'confirmed',
};
