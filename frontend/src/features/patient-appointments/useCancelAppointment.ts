import { useMutation, useQueryClient } from '@tanstack/react-query';
import { cancelAppointment } from '@/api/appointments';
import { ApiError, messageOf } from '@/api/errors';
import { invalidateAppointments, setAppointment } from '@/api/queries';
import type { Appointment } from '@/api/types';
import { formatDayTime } from '@/lib/dates';
import { doctorName } from '@/lib/names';
import { confirm } from '@/ui/confirm';
import { toast } from '@/ui/toasts';

const FAILED = 'Failed to cancel appointment';

/** The specification's message, with the server's reason. */
function failure(error: unknown): string {
  const message = error instanceof ApiError && error.message;
  return message && message !== FAILED ? `${FAILED}. ${message}` : messageOf(error, FAILED);
}

/** Cancel after a confirmation; `ask` resolves to whether the appointment is cancelled now. */
export function useCancelAppointment() {
  const client = useQueryClient();
  const cancel = useMutation({
    mutationFn: (appointment: Appointment) => cancelAppointment(appointment._id),
    onSuccess: ({ data }) => {
      toast.success('Appointment cancelled successfully');
      setAppointment(client, data.appointment);
    },
    onError: (error, { doctor, appointmentDate, appointmentTime }) => {
      // Its row may disappear after the refetch, so the toast names it.
      toast.error(failure(error), {
        title: `${doctorName(doctor.name)}, ${formatDayTime(appointmentDate, appointmentTime)}`,
      });
      // A refusal means that the page is outdated.
      if (error instanceof ApiError && !error.isOutage) invalidateAppointments(client);
    },
  });

  const ask = async (appointment: Appointment): Promise<boolean> => {
    const { doctor, appointmentDate, appointmentTime } = appointment;
    const sure = await confirm({
      title: 'Are you sure you want to cancel this appointment?',
      body: `${doctorName(doctor.name)}, ${formatDayTime(appointmentDate, appointmentTime)}. This time will be offered to other patients.`,
      action: 'Cancel appointment',
      dismiss: 'Keep appointment',
      tone: 'danger',
    });
    if (!sure) return false;
    return cancel.mutateAsync(appointment).then(
      () => true,
      () => false,
    );
  };

  return { ask, busy: cancel.isPending };
}
