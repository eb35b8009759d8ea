import { useId } from 'react';
import type { Appointment, Proposal } from '@/api/types';
import { doctorName } from '@/lib/names';
import { Button } from '@/ui/Button';
import { Link } from '@/ui/Link';
import { FromTo } from './FromTo';
import styles from './ProposalPanel.module.css';
import { answerBy } from './sentence';
import { useAnswerProposal } from './useAnswerProposal';

interface Props {
  visit: Appointment;
  proposal: Proposal;
  reader: 'patient' | 'doctor';
  /** The page of the visit, where the panel stands elsewhere. */
  href?: string;
  /** Within a card: its level among the headings, and less of everything. */
  heading?: 'h2' | 'h3' | 'h4';
  /** Afterwards the panel is gone, so focus needs another place. */
  onAnswered?: (accept: boolean) => void;
}

/** Another time that waits: the two times, who proposes and why, by when to answer, and the answers. */
export function ProposalPanel({
  visit,
  proposal,
  reader,
  href,
  heading: Heading = 'h2',
  onAnswered,
}: Props) {
  const id = useId();
  const answer = useAnswerProposal(onAnswered);
  const own = proposal.proposedBy === reader;
  const other = reader === 'patient' ? doctorName(visit.doctor.name) : visit.patient.name;
  const by = answerBy(proposal, reader);

  const keeps = `${reader === 'patient' ? 'Your' : 'The'} visit keeps its time`;

  const give = (accept: boolean, said: string) => answer.mutate({ visit, accept, said });
  const giving = (accept: boolean) => answer.isPending && answer.variables.accept === accept;

  return (
    <section
      className={styles.panel}
      data-own={own ? '' : undefined}
      data-compact={Heading === 'h2' ? undefined : ''}
      aria-labelledby={id}
      data-print="no"
    >
      <Heading id={id}>
        {own ? 'You proposed another time' : `${other} proposes another time`}
      </Heading>
      <FromTo from={visit} to={proposal} toLabel="Proposed" />
      {proposal.reason && (
        <p className={styles.reason}>
          <span className="muted">Reason: </span>
          {proposal.reason}
        </p>
      )}
      <p>
        {own
          ? `${other} answers by ${by}. Until then both times are kept, and without an answer ${reader === 'patient' ? 'your' : 'the'} visit stays where it is.`
          : `Please answer by ${by}. Without an answer the visit keeps its time.`}
      </p>
      <div className={styles.actions}>
        {own ? (
          <Button
            variant="secondary"
            busy={answer.isPending}
            busyLabel="Withdrawing..."
            onClick={() => give(false, 'Proposal withdrawn')}
          >
            Withdraw
          </Button>
        ) : (
          <>
            <Button
              busy={giving(true)}
              busyLabel="Accepting..."
              aria-disabled={answer.isPending}
              onClick={() => !answer.isPending && give(true, 'New time accepted')}
            >
              {reader === 'patient' ? 'Accept the new time' : 'Accept'}
            </Button>
            <Button
              variant="secondary"
              busy={giving(false)}
              busyLabel="Declining..."
              aria-disabled={answer.isPending}
              onClick={() => !answer.isPending && give(false, keeps)}
            >
              {reader === 'patient' ? 'Keep my time' : 'Decline'}
            </Button>
          </>
        )}
        {href && (
          <Link href={href} className={styles.link}>
            See this visit
          </Link>
        )}
      </div>
    </section>
  );
}
