import { useMutation, useQueryClient } from '@tanstack/react-query';
import { cancelAppointment } from '@/api/calls';
import { ApiError, messageOf } from '@/api/errors';
import { forgetVisits, placeVisit } from '@/api/queries';
import type { Appointment } from '@/api/types';
import { formatDayTime } from '@/lib/dates';
import { doctorName } from '@/lib/names';
import { confirm } from '@/ui/confirm';
import { notify } from '@/ui/notices';

const FAILED = 'Failed to cancel appointment';

/** The specification's sentence, and what the server says about it. */
function failure(error: unknown): string {
  const said = error instanceof ApiError && error.message;
  return said && said !== FAILED ? `${FAILED}. ${said}` : messageOf(error, FAILED);
}

/** A patient's cancelling: ask, do, tell. `ask` answers whether the visit is cancelled now. */
export function useCancelVisit() {
  const client = useQueryClient();
  const cancel = useMutation({
    mutationFn: (visit: Appointment) => cancelAppointment(visit._id),
    onSuccess: ({ data }) => {
      notify.success('Appointment cancelled successfully');
      placeVisit(client, data.appointment);
    },
    onError: (error) => {
      notify.error(failure(error));
      // A refusal means that the visit is not what this page shows.
      if (error instanceof ApiError && !error.isOutage) forgetVisits(client);
    },
  });

  const ask = async (visit: Appointment): Promise<boolean> => {
    const { doctor, appointmentDate, appointmentTime } = visit;
    const sure = await confirm({
      title: 'Are you sure you want to cancel this appointment?',
      body: `${doctorName(doctor.name)}, ${formatDayTime(appointmentDate, appointmentTime)}. The time will be free for others.`,
      action: 'Cancel appointment',
      dismiss: 'Keep appointment',
      tone: 'danger',
    });
    if (!sure) return false;
    return cancel.mutateAsync(visit).then(
      () => true,
      () => false,
    );
  };

  return { ask, busy: cancel.isPending };
}
