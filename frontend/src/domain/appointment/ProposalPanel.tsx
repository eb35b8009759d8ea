import { useId } from 'react';
import type { Appointment, Proposal } from '@/api/types';
import { doctorName } from '@/lib/names';
import { Button } from '@/ui/Button';
import { Inline } from '@/ui/Inline';
import { Link } from '@/ui/Link';
import { Stack } from '@/ui/Stack';
import { Subject } from './doctor/subject';
import styles from './ProposalPanel.module.css';
import { responseDeadlineText } from './statusText';
import { TimeChange } from './TimeChange';
import { useAnswerProposal } from './useAnswerProposal';

interface Props {
  appointment: Appointment;
  proposal: Proposal;
  reader: 'patient' | 'doctor';
  /** A link to the appointment, when the panel is on another page. */
  href?: string;
  /** The heading level within a card, where the panel is more compact. */
  heading?: 'h2' | 'h3' | 'h4';
  /** The panel disappears afterwards, so move the focus. */
  onAnswered?: (accept: boolean) => void;
}

/** A proposed time: both times, who proposed it and why, the deadline, and the answers. */
export function ProposalPanel({
  appointment,
  proposal,
  reader,
  href,
  heading: Heading = 'h2',
  onAnswered,
}: Props) {
  const id = useId();
  const answer = useAnswerProposal(onAnswered);
  const own = proposal.proposedBy === reader;
  const other =
    reader === 'patient' ? doctorName(appointment.doctor.name) : appointment.patient.name;
  const isPatient = reader === 'patient';
  const what = appointment.status === 'pending' ? 'request' : 'appointment';
  const keeps = isPatient ? `Your ${what} keeps its time` : 'The appointment keeps its time';
  // Doctors see many panels on one page, patients only one.
  const which = reader === 'doctor' && <Subject appointment={appointment} />;

  const answerProposal = (accept: boolean, successMessage: string) =>
    answer.mutate({ appointment, accept, successMessage });
  const giving = (accept: boolean) => answer.isPending && answer.variables.accept === accept;

  return (
    <Stack
      as="section"
      gap={3}
      className={styles.panel}
      data-own={own ? '' : undefined}
      data-compact={Heading === 'h2' ? undefined : ''}
      aria-labelledby={id}
      data-print="no"
    >
      <Heading id={id}>
        {isPatient
          ? own
            ? 'You suggested another time'
            : `${other} suggests another time`
          : own
            ? 'You proposed another time'
            : `${other} proposes another time`}
      </Heading>
      <TimeChange from={appointment} to={proposal} toLabel={isPatient ? 'Suggested' : 'Proposed'} />
      {proposal.reason && (
        <p className="multiline">
          <span className="muted">Reason: </span>
          {proposal.reason}
        </p>
      )}
      <p>{explanation(appointment, proposal, reader)}</p>
      <Inline className={styles.actions}>
        {own ? (
          <Button
            variant="secondary"
            busy={answer.isPending}
            busyLabel="Withdrawing..."
            onClick={() =>
              answerProposal(false, isPatient ? 'Suggestion withdrawn' : 'Proposal withdrawn')
            }
          >
            Withdraw
            {which}
          </Button>
        ) : (
          <>
            <Button
              busy={giving(true)}
              busyLabel="Accepting..."
              aria-disabled={answer.isPending}
              onClick={() => !answer.isPending && answerProposal(true, 'New time accepted')}
            >
              {isPatient ? 'Accept new time' : 'Accept'}
              {which}
            </Button>
            <Button
              variant="secondary"
              busy={giving(false)}
              busyLabel="Declining..."
              aria-disabled={answer.isPending}
              onClick={() => !answer.isPending && answerProposal(false, keeps)}
            >
              {isPatient ? 'Keep current time' : 'Decline'}
              {which}
            </Button>
          </>
        )}
        {href && (
          <Link href={href} className={styles.link}>
            View appointment
          </Link>
        )}
      </Inline>
    </Stack>
  );
}

/** Explains what happens next, and the deadline. */
function explanation(
  appointment: Appointment,
  proposal: Proposal,
  reader: 'patient' | 'doctor',
): string {
  const by = responseDeadlineText(proposal, reader);
  const isOwn = proposal.proposedBy === reader;
  if (reader === 'patient') {
    const doctor = doctorName(appointment.doctor.name);
    if (isOwn) {
      return `${doctor} can reply until ${by}. Both times are held until then. Without a reply, your appointment keeps its time.`;
    }
    return appointment.status === 'pending'
      ? `Please reply by ${by}. If you accept, your appointment is confirmed. If you don’t reply, ${doctor} still needs to confirm your request for the current time.`
      : `Please reply by ${by}. If you don’t, your appointment keeps its time.`;
  }
  const subject = appointment.status === 'pending' ? 'the request' : 'the appointment';
  return isOwn
    ? `${appointment.patient.name} has until ${by} to accept, which confirms the new time. Both times are held until then. Otherwise ${subject} keeps its time.`
    : `Please reply by ${by}. If you don’t, the appointment keeps its time.`;
}
