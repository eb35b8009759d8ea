import { Trans, useLingui } from '@lingui/react/macro';
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

/** More upcoming appointments than one patient can have. */
const MAX_UPCOMING = 100;

/**
 * Return a patient's upcoming appointments. A page renders nothing below the proposals while
 * `waiting`, that is until the request has succeeded or failed.
 */
export function useUpcomingAppointments() {
  const { data, isPending, errorUpdateCount } = useQuery(
    appointmentsQuery({ scope: 'upcoming', pageSize: MAX_UPCOMING }),
  );
  return { ahead: data?.appointments ?? [], waiting: isPending && errorUpdateCount === 0 };
}

/**
 * Doctors' proposals that await the patient's answer, from every page of the list. Once
 * answered, each is replaced by a line with the current time.
 */
export function PendingProposals({ ahead }: { ahead: Appointment[] }) {
  const [answers, setAnswers] = useState<Record<string, boolean>>({});
  return ahead.map((appointment) => {
    const { _id: id, proposal } = appointment;
    if (proposal?.proposedBy === 'doctor') {
      return (
        <ProposalPanel
          key={id}
          appointment={appointment}
          proposal={proposal}
          reader="patient"
          href={paths.patientAppointment(id)}
          onAnswered={(accept) => setAnswers((answers) => ({ ...answers, [id]: accept }))}
        />
      );
    }
    const isAccepted = answers[id];
    return (
      isAccepted !== undefined && (
        <AnsweredProposal key={id} appointment={appointment} isAccepted={isAccepted} />
      )
    );
  });
}

/** Takes over the focus from the panel. */
function AnsweredProposal({
  appointment,
  isAccepted,
}: {
  appointment: Appointment;
  isAccepted: boolean;
}) {
  const { t } = useLingui();
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => line.current?.focus(), []);
  const when = formatDayTime(appointment.appointmentDate, appointment.appointmentTime);
  const name = doctorName(appointment.doctor.name);
  return (
    <div ref={line} tabIndex={-1}>
      <Banner tone="success">
        <p>
          {isAccepted
            ? t`Your appointment with ${name} is confirmed for ${when}.`
            : appointment.status === 'pending'
              ? t`Your request to ${name} is still for ${when}.`
              : t`Your appointment with ${name} is still on ${when}.`}{' '}
          <Link href={paths.patientAppointment(appointment._id)}>
            <Trans>View appointment</Trans>
          </Link>
        </p>
      </Banner>
    </div>
  );
}
