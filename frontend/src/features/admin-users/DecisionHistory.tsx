import { Trans, useLingui } from '@lingui/react/macro';
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

/** Decided applications, newest first. */
export function DecisionHistory({ doctorId, cases }: { doctorId: string; cases: Case[] }) {
  if (cases.length === 0) return null;
  return (
    <Card as="section" gap={4} aria-labelledby="earlier">
      <h2 id="earlier">
        <Trans>Earlier applications</Trans>
      </h2>
      <Stack as="ol" className={styles.history}>
        {cases.map((each) => (
          <li key={each._id}>
            <DecidedCase doctorId={doctorId} decidedCase={each} />
          </li>
        ))}
      </Stack>
    </Card>
  );
}

function DecidedCase({ doctorId, decidedCase }: { doctorId: string; decidedCase: Case }) {
  const { t } = useLingui();
  const state = t(CASE_STATE_LABELS[decidedCase.state]);
  const { decidedBy } = decidedCase;
  const decidedOn = decidedCase.decidedAt && formatDate(localDate(decidedCase.decidedAt));
  const submittedOn = formatDate(localDate(decidedCase.submittedAt));
  const seen = CHECKLIST_KEYS.filter((key) => decidedCase.checklist[key]);
  return (
    <>
      <h3>
        {decidedOn ? (
          <Trans>
            {state} on {decidedOn}
          </Trans>
        ) : (
          state
        )}
      </h3>
      <p className="muted">
        {decidedBy ? (
          <Trans>
            Submitted on {submittedOn}, decided by {decidedBy}
          </Trans>
        ) : (
          <Trans>Submitted on {submittedOn}</Trans>
        )}
      </p>
      {decidedCase.reason && (
        <p>
          <Trans>
            Reason: <q>{decidedCase.reason}</q>
          </Trans>
        </p>
      )}
      {decidedCase.note && (
        <p>
          <Trans>
            Staff note: <q>{decidedCase.note}</q>
          </Trans>
        </p>
      )}
      <Disclosure summary={t`Review checklist`}>
        <Stack>
          <LicenseFacts license={decidedCase} specialization={decidedCase.specialization} />
          {decidedCase.document && (
            <EvidenceFile doctorId={doctorId} verificationCase={decidedCase} />
          )}
          {decidedCase.message && <p className={evidence.quote}>{decidedCase.message}</p>}
          {seen.length > 0 ? (
            <ul className={evidence.consequences}>
              {seen.map((key) => (
                <li key={key}>{t(CHECKLIST_LABELS[key])}</li>
              ))}
            </ul>
          ) : (
            <p className="muted">
              <Trans>Nothing was checked.</Trans>
            </p>
          )}
        </Stack>
      </Disclosure>
    </>
  );
}
