import type { ComponentProps } from 'react';
import type { Appointment } from '@/api/types';
import { ProposalPanel } from '../ProposalPanel';
import { CancelRequest } from './CancelRequest';

interface Props {
  appointment: Appointment;
  heading: ComponentProps<typeof ProposalPanel>['heading'];
  onDone: () => void;
}

/** Open requests of the patient: to cancel, or to move to another time. */
export function PatientRequests({ appointment, heading, onDone }: Props) {
  return (
    <>
      {appointment.cancelRequest && (
        <CancelRequest
          appointment={appointment}
          request={appointment.cancelRequest}
          onDone={onDone}
        />
      )}
      {appointment.proposal && (
        <ProposalPanel
          appointment={appointment}
          proposal={appointment.proposal}
          reader="doctor"
          heading={heading}
          onAnswered={onDone}
        />
      )}
    </>
  );
}
