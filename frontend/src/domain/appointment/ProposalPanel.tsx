import { Trans, useLingui } from '@lingui/react/macro';
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
  const { t } = useLingui();
  const id = useId();
  const answer = useAnswerProposal(onAnswered);
  const own = proposal.proposedBy === reader;
  const isPatient = reader === 'patient';
  const other = isPatient ? doctorName(appointment.doctor.name) : appointment.patient.name;
  const { reason } = proposal;
  const unchanged = !isPatient
    ? t`The appointment’s time hasn’t changed`
    : appointment.status === 'pending'
      ? t`Your request’s time hasn’t changed`
      : t`Your appointment’s time hasn’t changed`;
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
        {own ? t`You suggested another time` : t`${other} suggests another time`}
      </Heading>
      <TimeChange from={appointment} to={proposal} toLabel={t`Suggested time`} />
      {reason && (
        <p className="multiline">
          <Trans>
            <span className="muted">Reason:</span> {reason}
          </Trans>
        </p>
      )}
      <p>
        <NextStep appointment={appointment} proposal={proposal} reader={reader} />
      </p>
      <Inline className={styles.actions}>
        {own ? (
          <Button
            variant="secondary"
            busy={answer.isPending}
            busyLabel={t`Withdrawing...`}
            onClick={() => answerProposal(false, t`Suggestion withdrawn`)}
          >
            <Trans>Withdraw</Trans>
            {which}
          </Button>
        ) : (
          <>
            <Button
              busy={giving(true)}
              busyLabel={t`Accepting...`}
              aria-disabled={answer.isPending}
              onClick={() => !answer.isPending && answerProposal(true, t`New time accepted`)}
            >
              {isPatient ? t`Accept new time` : t`Accept`}
              {which}
            </Button>
            <Button
              variant="secondary"
              busy={giving(false)}
              busyLabel={t`Declining...`}
              aria-disabled={answer.isPending}
              onClick={() => !answer.isPending && answerProposal(false, unchanged)}
            >
              {isPatient ? t`Keep current time` : t`Decline`}
              {which}
            </Button>
          </>
        )}
        {href && (
          <Link href={href} className={styles.link}>
            <Trans>View appointment</Trans>
          </Link>
        )}
      </Inline>
    </Stack>
  );
}

/** What happens next, and the deadline. */
function NextStep({
  appointment,
  proposal,
  reader,
}: Pick<Props, 'appointment' | 'proposal' | 'reader'>) {
  const { t } = useLingui();
  const by = responseDeadlineText(proposal, reader);
  const isOwn = proposal.proposedBy === reader;
  if (reader === 'patient') {
    const doctor = doctorName(appointment.doctor.name);
    if (isOwn) {
      return t`${doctor} can reply until ${by}. We’ll hold both times until then. If they don’t reply, your appointment’s time won’t change.`;
    }
    return appointment.status === 'pending'
      ? t`Please reply by ${by}. If you accept, your appointment is confirmed. If you don’t reply, ${doctor} still needs to confirm your request for the current time.`
      : t`Please reply by ${by}. If you don’t, your appointment’s time won’t change.`;
  }
  if (!isOwn) return t`Please reply by ${by}. If you don’t, the appointment’s time won’t change.`;
  const patient = appointment.patient.name;
  return appointment.status === 'pending'
    ? t`${patient} has until ${by} to accept, which confirms the new time. We’ll hold both times until then. If they don’t accept, the request’s time won’t change.`
    : t`${patient} has until ${by} to accept, which confirms the new time. We’ll hold both times until then. If they don’t accept, the appointment’s time won’t change.`;
}
