import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { appointmentsQuery } from '@/api/queries';
import type { Appointment } from '@/api/types';
import { formatDayTime } from '@/lib/dates';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { Banner } from '@/ui/Banner';
import { Link } from '@/ui/Link';
import { ProposalPanel } from './ProposalPanel';

/** Every visit ahead of a patient fits into this many. */
const ENOUGH = 100;

/**
 * All visits ahead of a patient. A page draws nothing below the proposals before it has these, or
 * knows (`waiting`) that they can't be had.
 */
export function useVisitsAhead() {
  const { data, isPending, errorUpdateCount } = useQuery(
    appointmentsQuery({ scope: 'upcoming', pageSize: ENOUGH }),
  );
  return { ahead: data?.appointments ?? [], waiting: isPending && errorUpdateCount === 0 };
}

/**
 * The doctors' proposals that wait for the patient's answer, whichever page of the list they are on.
 * Once answered, each leaves a line with the time that holds now.
 */
export function ProposalsToAnswer({ ahead }: { ahead: Appointment[] }) {
  const [answers, setAnswers] = useState<Record<string, boolean>>({});
  return ahead.map((visit) => {
    const { _id: id, proposal } = visit;
    if (proposal?.proposedBy === 'doctor') {
      return (
        <ProposalPanel
          key={id}
          visit={visit}
          proposal={proposal}
          reader="patient"
          href={paths.patientAppointment(id)}
          onAnswered={(accept) => setAnswers((given) => ({ ...given, [id]: accept }))}
        />
      );
    }
    const accepted = answers[id];
    return accepted !== undefined && <Answered key={id} visit={visit} accepted={accepted} />;
  });
}

/** Takes the focus from the panel in whose place it stands. */
function Answered({ visit, accepted }: { visit: Appointment; accepted: boolean }) {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => line.current?.focus(), []);
  const when = formatDayTime(visit.appointmentDate, visit.appointmentTime);
  return (
    <div ref={line} tabIndex={-1}>
      <Banner tone="success">
        <p>
          Your visit with {doctorName(visit.doctor.name)} {accepted ? 'moved to' : 'stays at'}{' '}
          {when}. <Link href={paths.patientAppointment(visit._id)}>See this visit</Link>
        </p>
      </Banner>
    </div>
  );
}
