import type { Appointment } from '@/api/types';
import { formatDayTime } from '@/lib/dates';

/** The patient and time of an appointment, to identify rows, buttons and errors. */
export function describeAppointment(
  appointment: Pick<Appointment, 'patient' | 'appointmentDate' | 'appointmentTime'>,
): string {
  return `${appointment.patient.name}, ${formatDayTime(appointment.appointmentDate, appointment.appointmentTime)}`;
}

/**
 * Completes the accessible name of a button that every row repeats; the visible text comes first.
 */
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
