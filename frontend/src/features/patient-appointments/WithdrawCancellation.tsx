import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { withdrawCancelRequest } from '@/api/appointments';
import { invalidateAppointments, setAppointment } from '@/api/queries';
import type { Appointment } from '@/api/types';
import { isOutdated, reportFailedAction } from '@/domain/failedAction';
import { formatDayTime } from '@/lib/dates';
import { formatFacts } from '@/lib/formatList';
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
  const { t } = useLingui();
  const client = useQueryClient();
  const withdraw = useMutation({
    mutationFn: () => withdrawCancelRequest(appointment._id),
    onSuccess: ({ data }) => {
      toast.success(t`Your appointment stays booked`);
      void setAppointment(client, data.appointment);
      onDone();
    },
    onError: (error) => {
      const { doctor, appointmentDate, appointmentTime } = appointment;
      reportFailedAction(error, {
        fallback: t`We couldn’t withdraw your request`,
        about: formatFacts([
          doctorName(doctor.name),
          formatDayTime(appointmentDate, appointmentTime),
        ]),
      });
      if (isOutdated(error)) void invalidateAppointments(client);
    },
  });
  return (
    <Button busy={withdraw.isPending} busyLabel={t`Saving...`} onClick={() => withdraw.mutate()}>
      <Trans>I can come after all</Trans>
    </Button>
  );
}
