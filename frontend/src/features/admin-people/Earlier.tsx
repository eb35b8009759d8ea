import type { Case } from '@/api/types';
import { formatDate } from '@/lib/dates';
import { Disclosure } from '@/ui/Disclosure';
import { CASE_STATES, CHECK_KEYS, CHECKS, dayOf } from './case';
import { EvidenceFile, LicenseFacts } from './Evidence';
import styles from './people.module.css';

/** Applications that were decided, the newest first. */
export function Earlier({ doctorId, cases }: { doctorId: string; cases: Case[] }) {
  if (cases.length === 0) return null;
  return (
    <section className={styles.sheet} aria-labelledby="earlier">
      <h2 id="earlier">Earlier applications</h2>
      <ol className={styles.earlier}>
        {cases.map((each) => (
          <li key={each._id}>
            <Decided doctorId={doctorId} shown={each} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Decided({ doctorId, shown }: { doctorId: string; shown: Case }) {
  const seen = CHECK_KEYS.filter((key) => shown.checklist[key]);
  return (
    <>
      <h3>
        {CASE_STATES[shown.state]}
        {shown.decidedAt && ` on ${formatDate(dayOf(shown.decidedAt))}`}
      </h3>
      <p className="muted">
        Submitted on {formatDate(dayOf(shown.submittedAt))}
        {shown.decidedBy && `, decided by ${shown.decidedBy}`}
      </p>
      {shown.reason && (
        <p>
          Reason given: <q>{shown.reason}</q>
        </p>
      )}
      {shown.note && (
        <p>
          Note of staff: <q>{shown.note}</q>
        </p>
      )}
      <Disclosure summary="What was looked at">
        <div className="stack">
          <LicenseFacts license={shown} specialization={shown.specialization} />
          {shown.document && <EvidenceFile doctorId={doctorId} shown={shown} />}
          {shown.message && <p className={styles.words}>{shown.message}</p>}
          {seen.length > 0 ? (
            <ul className={styles.consequences}>
              {seen.map((key) => (
                <li key={key}>{CHECKS[key]}</li>
              ))}
            </ul>
          ) : (
            <p className="muted">Nothing on the checklist was ticked.</p>
          )}
        </div>
      </Disclosure>
    </>
  );
}
