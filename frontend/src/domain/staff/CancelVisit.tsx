import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useState } from 'react';
import { flushSync } from 'react-dom';
import { ApiError } from '@/api/errors';
import { forgetVisits, placeVisit } from '@/api/queries';
import { cancelAsStaff } from '@/api/staff';
import type { Appointment } from '@/api/types';
import { appointmentCan } from '@/domain/appointmentCan';
import { ReasonDialog } from '@/domain/visit/ReasonDialog';
import { formatDayTime } from '@/lib/dates';
import { doctorName } from '@/lib/names';
import { Button } from '@/ui/Button';
import { notify } from '@/ui/notices';

interface Props {
  visit: Appointment;
  /** Takes the focus afterwards, when the button is gone. */
  row: RefObject<HTMLElement | null>;
}

/** Cancel a live visit as staff, with a reason; nothing for visits that are over. */
export function CancelVisit({ visit, row }: Props) {
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const cancel = useMutation({
    mutationFn: (reason: string) => cancelAsStaff(visit._id, reason),
    onSuccess: ({ data, message }) => {
      notify.success(message || 'Appointment cancelled successfully');
      void placeVisit(client, data.appointment);
    },
    onError: (error) => {
      // Somebody was quicker, it seems: show how it stands.
      if (error instanceof ApiError && !error.isOutage) void forgetVisits(client);
    },
  });
  const between = `${visit.patient.name} with ${doctorName(visit.doctor.name)}`;
  return (
    <>
      {appointmentCan.adminCancel(visit) && (
        <Button variant="danger" onClick={() => setAsking(true)}>
          Cancel <span className="visually-hidden">the appointment of {between}</span>
        </Button>
      )}
      {asking && (
        <ReasonDialog
          title="Are you sure you want to cancel this appointment?"
          about={`${between}, ${formatDayTime(visit.appointmentDate, visit.appointmentTime)}.`}
          hint="The patient and the doctor read it."
          action="Cancel appointment"
          busyLabel="Cancelling..."
          fallback="Failed to cancel appointment"
          onSubmit={async (reason) => {
            await cancel.mutateAsync(reason);
            // The closing dialog gives focus back first, to a button that is gone by now.
            flushSync(() => setAsking(false));
            row.current?.focus();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
