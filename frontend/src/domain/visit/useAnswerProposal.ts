import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerProposal } from '@/api/calls';
import { ApiError, messageOf } from '@/api/errors';
import { forgetVisits, placeVisit } from '@/api/queries';
import type { Appointment } from '@/api/types';
import { notify } from '@/ui/notices';

export interface ProposalAnswer {
  visit: Appointment;
  accept: boolean;
  /** What the success is called. */
  said: string;
}

/**
 * Accept, decline or withdraw the open proposal of a visit. `onAnswered` is called although what
 * asked goes with the proposal.
 */
export function useAnswerProposal(onAnswered?: (accept: boolean) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ visit, accept }: ProposalAnswer) => answerProposal(visit._id, accept),
    onSuccess: ({ data }, { accept, said }) => {
      notify.success(said);
      onAnswered?.(accept);
      void placeVisit(client, data.appointment);
    },
    onError: (error) => {
      notify.error(messageOf(error, 'Failed to answer the proposal'));
      // A refusal means that the visit is not what this page shows.
      if (error instanceof ApiError && !error.isOutage) void forgetVisits(client);
    },
  });
}
