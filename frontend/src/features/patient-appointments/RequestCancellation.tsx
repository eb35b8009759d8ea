import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { requestCancellation } from '@/api/appointments';
import { invalidateAppointments, setAppointment } from '@/api/queries';
import type { Appointment } from '@/api/types';
import { appointmentCan } from '@/domain/appointment/allowedActions';
import { formatInstantFor } from '@/domain/appointment/expiryText';
import { formatDayTime } from '@/lib/dates';
import { doctorName } from '@/lib/names';
import { Button } from '@/ui/Button';
import { toast } from '@/ui/toasts';
import { ClinicPhone } from './ClinicPhone';

// Rarely used, so its code is loaded on click.
const ReasonDialog = lazy(() =>
  import('@/domain/appointment/ReasonDialog').then((module) => ({ default: module.ReasonDialog })),
);

interface Props {
  appointment: Appointment;
  /** The button disappears afterwards, so move the focus. */
  onSent: () => void;
}

/** "I can't make it": before the doctor's cutoff this cancels at once, after it the doctor decides. */
export function RequestCancellation({ appointment, onSent }: Props) {
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const doctor = doctorName(appointment.doctor.name);
  const when = formatDayTime(appointment.appointmentDate, appointment.appointmentTime);
  const atOnce = appointmentCan.patientCancelsAtOnce(appointment);
  return (
    <>
      <Button variant="danger" onClick={() => setAsking(true)}>
        I can’t make it
      </Button>
      {asking && (
        <Suspense fallback={null}>
          <ReasonDialog
            title="Can’t make it?"
            subject={`${doctor}, ${when}`}
            about={
              atOnce ? (
                <>
                  This cancels your appointment with {doctor} on {when} right away. The time will be
                  offered to other patients.
                </>
              ) : (
                <>
                  {doctor} will be asked to cancel your appointment on {when}. It stays booked until{' '}
                  {doctor} confirms. <ClinicPhone appointment={appointment} />
                </>
              )
            }
            hint={`${doctor} can read this.`}
            optional
            action={atOnce ? 'Cancel appointment' : 'Request cancellation'}
            busyLabel={atOnce ? 'Cancelling...' : 'Sending...'}
            dismiss={atOnce ? 'Keep appointment' : 'Go back'}
            fallback={atOnce ? 'Failed to cancel appointment' : 'Failed to send your request'}
            onSubmit={async (reason) => {
              const { data } = await requestCancellation(appointment._id, reason);
              toast.success(
                data.cancelled
                  ? 'Appointment cancelled successfully'
                  : `We’ve told ${doctor} that you can’t make it`,
              );
              setAsking(false);
              void setAppointment(client, data.appointment);
              // The closing dialog first returns focus to a button that is about to disappear.
              setTimeout(onSent);
            }}
            onOutdated={() => void invalidateAppointments(client)}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </>
  );
}

/** Describe what "I can't make it" does now, beside the button. */
export function requestCancellationHint(appointment: Appointment): string {
  const doctor = doctorName(appointment.doctor.name);
  return appointment.cancelUntil && appointmentCan.patientCancelsAtOnce(appointment)
    ? `You can cancel online until ${formatInstantFor('patient', appointment.cancelUntil, appointment.timeZone)}.`
    : `It’s too late to cancel online yourself, but you can ask ${doctor} to cancel.`;
}
