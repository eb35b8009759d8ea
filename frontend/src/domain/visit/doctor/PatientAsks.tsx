import type { ComponentProps } from 'react';
import type { Appointment } from '@/api/types';
import { ProposalPanel } from '../ProposalPanel';
import { CancelRequest } from './CancelRequest';

interface Props {
  visit: Appointment;
  heading: ComponentProps<typeof ProposalPanel>['heading'];
  onDone: () => void;
}

/** What is asked about a visit and waits for an answer: "I cannot come", and another time. */
export function PatientAsks({ visit, heading, onDone }: Props) {
  return (
    <>
      {visit.cancelRequest && (
        <CancelRequest visit={visit} request={visit.cancelRequest} onDone={onDone} />
      )}
      {visit.proposal && (
        <ProposalPanel
          visit={visit}
          proposal={visit.proposal}
          reader="doctor"
          heading={heading}
          onAnswered={onDone}
        />
      )}
    </>
  );
}
