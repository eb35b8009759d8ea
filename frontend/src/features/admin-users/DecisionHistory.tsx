import type { Case } from '@/api/types';
import {
  CASE_STATE_LABELS,
  CHECKLIST_KEYS,
  CHECKLIST_LABELS,
  localDate,
} from '@/domain/staff/verification/case';
import evidence from '@/domain/staff/verification/decision.module.css';
import { EvidenceFile, LicenseFacts } from '@/domain/staff/verification/Evidence';
import { formatDate } from '@/lib/dates';
import { Card } from '@/ui/Card';
import { Disclosure } from '@/ui/Disclosure';
import { Stack } from '@/ui/Stack';
import styles from './users.module.css';

/** Applications that were decided, the newest first. */
export function DecisionHistory({ doctorId, cases }: { doctorId: string; cases: Case[] }) {
  if (cases.length === 0) return null;
  return (
    <Card as="section" gap={4} aria-labelledby="earlier">
      <h2 id="earlier">Earlier applications</h2>
      <Stack as="ol" className={styles.history}>
        {cases.map((each) => (
          <li key={each._id}>
            <Decided doctorId={doctorId} shown={each} />
          </li>
        ))}
      </Stack>
    </Card>
  );
}

function Decided({ doctorId, shown }: { doctorId: string; shown: Case }) {
  const seen = CHECKLIST_KEYS.filter((key) => shown.checklist[key]);
  return (
    <>
      <h3>
        {CASE_STATE_LABELS[shown.state]}
        {shown.decidedAt && ` on ${formatDate(localDate(shown.decidedAt))}`}
      </h3>
      <p className="muted">
        Submitted on {formatDate(localDate(shown.submittedAt))}
        {shown.decidedBy && `, decided by ${shown.decidedBy}`}
      </p>
      {shown.reason && (
        <p>
          Reason given: <q>{shown.reason}</q>
        </p>
      )}
      {shown.note && (
        <p>
          Staff note: <q>{shown.note}</q>
        </p>
      )}
      <Disclosure summary="Review checklist">
        <Stack>
          <LicenseFacts license={shown} specialization={shown.specialization} />
          {shown.document && <EvidenceFile doctorId={doctorId} verificationCase={shown} />}
          {shown.message && <p className={evidence.quote}>{shown.message}</p>}
          {seen.length > 0 ? (
            <ul className={evidence.consequences}>
              {seen.map((key) => (
                <li key={key}>{CHECKLIST_LABELS[key]}</li>
              ))}
            </ul>
          ) : (
            <p className="muted">Nothing was checked.</p>
          )}
        </Stack>
      </Disclosure>
    </>
  );
}
