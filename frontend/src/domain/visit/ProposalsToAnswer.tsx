import { useQuery } from '@tanstack/react-query';
import { appointmentsQuery } from '@/api/queries';
import { paths } from '@/lib/paths';
import { ProposalPanel } from './ProposalPanel';

/** Every visit ahead of a patient fits into this many. */
const ENOUGH = 100;

/** The doctors' proposals that wait for the patient's answer, whichever page of the list they are on. */
export function ProposalsToAnswer() {
  const list = useQuery(appointmentsQuery({ scope: 'upcoming', pageSize: ENOUGH }));
  return list.data?.appointments.map(
    (visit) =>
      visit.proposal?.proposedBy === 'doctor' && (
        <ProposalPanel
          key={visit._id}
          visit={visit}
          proposal={visit.proposal}
          reader="patient"
          href={paths.patientAppointment(visit._id)}
          onAnswered={() => document.querySelector('h1')?.focus()}
        />
      ),
  );
}
