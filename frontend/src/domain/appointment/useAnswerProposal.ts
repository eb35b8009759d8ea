import { t } from '@lingui/core/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerProposal } from '@/api/appointments';
import { invalidateAppointments, setAppointment } from '@/api/queries';
import type { Appointment } from '@/api/types';
import { isOutdated, reportFailedAction } from '@/domain/failedAction';
import { toast } from '@/ui/toasts';
import { describeAppointment } from './doctor/subject';

export interface ProposalAnswer {
  appointment: Appointment;
  accept: boolean;
  /** The success message. */
  successMessage: string;
}

/**
 * Accept, decline or withdraw the open proposal of an appointment. `onAnswered` runs even if the
 * component is unmounted by then.
 */
export function useAnswerProposal(onAnswered?: (accept: boolean) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ appointment, accept }: ProposalAnswer) =>
      answerProposal(appointment._id, accept),
    onSuccess: ({ data }, { accept, successMessage }) => {
      toast.success(successMessage);
      onAnswered?.(accept);
      void setAppointment(client, data.appointment);
    },
    onError: (error, { appointment }) => {
      reportFailedAction(error, {
        fallback: t`We couldn’t send your answer`,
        about: describeAppointment(appointment),
      });
      if (isOutdated(error)) void invalidateAppointments(client);
    },
  });
}
