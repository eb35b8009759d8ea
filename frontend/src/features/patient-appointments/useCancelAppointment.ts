import { t } from '@lingui/core/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { cancelAppointment } from '@/api/appointments';
import { ApiError, messageOf } from '@/api/errors';
import { invalidateAppointments, setAppointment } from '@/api/queries';
import type { Appointment } from '@/api/types';
import { formatDayTime } from '@/lib/dates';
import { formatFacts } from '@/lib/formatList';
import { doctorName } from '@/lib/names';
import { confirm } from '@/ui/confirm';
import { toast } from '@/ui/toasts';

/** The specification's message, with the server's reason. */
function failure(error: unknown): string {
  const fallback = t`Failed to cancel appointment`;
  const message = error instanceof ApiError && error.message;
  return message && message !== fallback
    ? t`Failed to cancel appointment. ${message}`
    : messageOf(error, fallback);
}

/** Cancel after a confirmation; `ask` resolves to whether the appointment is cancelled now. */
export function useCancelAppointment() {
  const client = useQueryClient();
  const cancel = useMutation({
    mutationFn: (appointment: Appointment) => cancelAppointment(appointment._id),
    onSuccess: ({ data }) => {
      toast.success(t`Appointment cancelled successfully`);
      setAppointment(client, data.appointment);
    },
    onError: (error, { doctor, appointmentDate, appointmentTime }) => {
      // Its row may disappear after the refetch, so the toast names it.
      toast.error(failure(error), {
        title: formatFacts([
          doctorName(doctor.name),
          formatDayTime(appointmentDate, appointmentTime),
        ]),
      });
      // A refusal means that the page is outdated.
      if (error instanceof ApiError && !error.isOutage) invalidateAppointments(client);
    },
  });

  const ask = async (appointment: Appointment): Promise<boolean> => {
    const doctor = doctorName(appointment.doctor.name);
    const when = formatDayTime(appointment.appointmentDate, appointment.appointmentTime);
    const sure = await confirm({
      title: t`Are you sure you want to cancel this appointment?`,
      body: t`${doctor}, ${when}. This time will be offered to other patients.`,
      action: t`Cancel appointment`,
      dismiss: t`Keep appointment`,
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
