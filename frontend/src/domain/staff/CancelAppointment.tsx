import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useState } from 'react';
import { flushSync } from 'react-dom';
import { cancelAsAdmin } from '@/api/admin';
import { invalidateAppointments, setAppointment } from '@/api/queries';
import type { Appointment } from '@/api/types';
import { appointmentCan } from '@/domain/appointment/allowedActions';
import { ReasonDialog } from '@/domain/appointment/ReasonDialog';
import { formatDayTime } from '@/lib/dates';
import { doctorName } from '@/lib/names';
import { getSiteSettings } from '@/lib/siteSettings';
import { Button } from '@/ui/Button';
import { toast } from '@/ui/toasts';

interface Props {
  appointment: Appointment;
  /** Receives the focus afterwards, because the button disappears. */
  row: RefObject<HTMLElement | null>;
}

/** Cancel a live appointment as staff, with a reason; nothing for appointments that are over. */
export function CancelAppointment({ appointment, row }: Props) {
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const when = formatDayTime(appointment.appointmentDate, appointment.appointmentTime);
  const patient = appointment.patient.name;
  const doctor = doctorName(appointment.doctor.name);
  const subject = t`${patient} with ${doctor}, ${when}`;
  const cancel = useMutation({
    mutationFn: (reason: string) => cancelAsAdmin(appointment._id, reason),
    onSuccess: ({ data, message }, reason) => {
      if (data.changed) toast.success(message || t`Appointment cancelled successfully`);
      else {
        toast.error(alreadyCancelledText(data.appointment), {
          title: subject,
          typedText: reason,
        });
      }
      void setAppointment(client, data.appointment);
    },
  });
  return (
    <>
      {appointmentCan.adminCancel(appointment) && (
        <Button variant="danger" onClick={() => setAsking(true)}>
          <Trans>
            Cancel{' '}
            <span className="visually-hidden">
              the appointment of {patient} with {doctor}
            </span>
          </Trans>
        </Button>
      )}
      {asking && (
        <ReasonDialog
          title={t`Are you sure you want to cancel this appointment?`}
          about={t`${patient} with ${doctor}, ${when}.`}
          subject={subject}
          hint={t`The patient and the doctor will read it.`}
          action={t`Cancel appointment`}
          busyLabel={t`Cancelling...`}
          fallback={t`Failed to cancel appointment`}
          onSubmit={async (reason) => {
            await cancel.mutateAsync(reason);
            // The closing dialog first returns focus to a button that no longer exists.
            flushSync(() => setAsking(false));
            row.current?.focus();
          }}
          onOutdated={() => void invalidateAppointments(client)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

function alreadyCancelledText({ cancelledBy, patient, doctor }: Appointment): string {
  if (cancelledBy === 'admin') return t`Another admin has already cancelled this appointment.`;
  const { siteName } = getSiteSettings();
  const names: Partial<Record<string, string>> = {
    patient: patient.name,
    doctor: doctorName(doctor.name),
  };
  const name = names[cancelledBy ?? ''] ?? siteName;
  return t`${name} has already cancelled this appointment.`;
}
