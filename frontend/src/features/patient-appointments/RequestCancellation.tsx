import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { requestCancellation } from '@/api/appointments';
import { invalidateAppointments, setAppointment } from '@/api/queries';
import type { Appointment } from '@/api/types';
import { appointmentCan } from '@/domain/appointment/allowedActions';
import { formatInstantFor } from '@/domain/appointment/expiryText';
import { formatDayTime } from '@/lib/dates';
import { formatFacts } from '@/lib/formatList';
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
  const { t } = useLingui();
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const doctor = doctorName(appointment.doctor.name);
  const when = formatDayTime(appointment.appointmentDate, appointment.appointmentTime);
  const atOnce = appointmentCan.patientCancelsAtOnce(appointment);
  return (
    <>
      <Button variant="danger" onClick={() => setAsking(true)}>
        <Trans>I can’t make it</Trans>
      </Button>
      {asking && (
        <Suspense fallback={null}>
          <ReasonDialog
            title={t`Can’t make it?`}
            subject={formatFacts([doctor, when])}
            about={
              atOnce ? (
                <Trans>
                  This cancels your appointment with {doctor} on {when} right away. The time will be
                  offered to other patients.
                </Trans>
              ) : (
                <>
                  <Trans>
                    We’ll ask {doctor} to cancel your appointment on {when}. It stays booked until{' '}
                    {doctor} confirms.
                  </Trans>{' '}
                  <ClinicPhone appointment={appointment} />
                </>
              )
            }
            hint={t`${doctor} can read this.`}
            optional
            action={atOnce ? t`Cancel appointment` : t`Request cancellation`}
            busyLabel={atOnce ? t`Cancelling...` : t`Sending...`}
            dismiss={atOnce ? t`Keep appointment` : t`Go back`}
            fallback={atOnce ? t`Failed to cancel appointment` : t`We couldn’t send your request`}
            onSubmit={async (reason) => {
              const { data } = await requestCancellation(appointment._id, reason);
              toast.success(
                data.cancelled
                  ? t`Appointment cancelled successfully`
                  : t`We’ve told ${doctor} that you can’t make it`,
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

/** What "I can't make it" does now, beside the button. */
export function RequestCancellationHint({ appointment }: Pick<Props, 'appointment'>) {
  const { t } = useLingui();
  const doctor = doctorName(appointment.doctor.name);
  const { cancelUntil, timeZone } = appointment;
  if (!cancelUntil || !appointmentCan.patientCancelsAtOnce(appointment))
    return t`It’s too late to cancel this online, but you can ask ${doctor} to cancel it.`;
  const deadline = formatInstantFor('patient', cancelUntil, timeZone);
  return t`You can cancel online until ${deadline}.`;
}
