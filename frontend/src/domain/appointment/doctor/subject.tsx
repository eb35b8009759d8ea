import type { Appointment } from '@/api/types';
import { formatDayTime } from '@/lib/dates';
import { formatFacts } from '@/lib/formatList';

/** The patient and time of an appointment, to identify rows, buttons and errors. */
export function describeAppointment(
  appointment: Pick<Appointment, 'patient' | 'appointmentDate' | 'appointmentTime'>,
): string {
  const { patient, appointmentDate, appointmentTime } = appointment;
  return formatFacts([patient.name, formatDayTime(appointmentDate, appointmentTime)]);
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
