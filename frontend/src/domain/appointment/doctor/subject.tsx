import type { Appointment } from '@/api/types';
import { formatDayTime } from '@/lib/dates';

/** Whom an appointment is with and when: what tells rows, their buttons and their errors apart. */
export function describeAppointment(
  appointment: Pick<Appointment, 'patient' | 'appointmentDate' | 'appointmentTime'>,
): string {
  return `${appointment.patient.name}, ${formatDayTime(appointment.appointmentDate, appointment.appointmentTime)}`;
}

/** Ends the accessible name of a button that every row repeats; the visible text comes first. */
export function Subject({
  appointment,
}: {
  appointment: Parameters<typeof describeAppointment>[0];
}) {
  return (
    <>
      {' '}
      <span className="visually-hidden">{describeAppointment(appointment)}</span>
    </>
  );
}
