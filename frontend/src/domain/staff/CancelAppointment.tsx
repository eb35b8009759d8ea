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
  const between = `${appointment.patient.name} with ${doctorName(appointment.doctor.name)}`;
  const cancel = useMutation({
    mutationFn: (reason: string) => cancelAsAdmin(appointment._id, reason),
    onSuccess: ({ data, message }, reason) => {
      if (data.changed) toast.success(message || 'Appointment cancelled successfully');
      else {
        toast.error(`${whoCancelled(data.appointment)} had already cancelled this appointment.`, {
          title: `${between}, ${when}`,
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
          Cancel <span className="visually-hidden">the appointment of {between}</span>
        </Button>
      )}
      {asking && (
        <ReasonDialog
          title="Are you sure you want to cancel this appointment?"
          about={`${between}, ${when}.`}
          subject={`${between}, ${when}`}
          hint="The patient and the doctor will read it."
          action="Cancel appointment"
          busyLabel="Cancelling..."
          fallback="Failed to cancel appointment"
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

/** Who cancelled an appointment, as the start of a sentence. */
function whoCancelled({ cancelledBy, patient, doctor }: Appointment): string {
  if (cancelledBy === 'patient') return patient.name;
  if (cancelledBy === 'doctor') return doctorName(doctor.name);
  return cancelledBy === 'admin' ? 'Another admin' : getSiteSettings().siteName;
}
