import { useMutation, useQueryClient } from '@tanstack/react-query';
import { withdrawCancelRequest } from '@/api/appointments';
import { invalidateAppointments, setAppointment } from '@/api/queries';
import type { Appointment } from '@/api/types';
import { isOutdated, reportFailedAction } from '@/domain/failedAction';
import { formatDayTime } from '@/lib/dates';
import { doctorName } from '@/lib/names';
import { Button } from '@/ui/Button';
import { toast } from '@/ui/toasts';

interface Props {
  appointment: Appointment;
  /** The button disappears afterwards, so move the focus. */
  onDone: () => void;
}

/** Withdraw "I can't make it" until the doctor has cancelled. */
export function WithdrawCancellation({ appointment, onDone }: Props) {
  const client = useQueryClient();
  const withdraw = useMutation({
    mutationFn: () => withdrawCancelRequest(appointment._id),
    onSuccess: ({ data }) => {
      toast.success('Your appointment stays booked');
      void setAppointment(client, data.appointment);
      onDone();
    },
    onError: (error) => {
      const { doctor, appointmentDate, appointmentTime } = appointment;
      reportFailedAction(error, {
        fallback: 'Failed to take your request back',
        about: `${doctorName(doctor.name)}, ${formatDayTime(appointmentDate, appointmentTime)}`,
      });
      if (isOutdated(error)) void invalidateAppointments(client);
    },
  });
  return (
    <Button busy={withdraw.isPending} busyLabel="Saving..." onClick={() => withdraw.mutate()}>
      I can come after all
    </Button>
  );
}
