import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { DecisionWaiting, Overview } from '@/api/types';
import { CountBadge } from '@/domain/CountBadge';
import { CASE_KIND_LABELS } from '@/domain/staff/verification/case';
import { DecisionButtons } from '@/domain/staff/verification/DecisionButtons';
import { formatAge } from '@/lib/age';
import { formatCount } from '@/lib/counts';
import { formatFacts } from '@/lib/formatList';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { specializationLabel } from '@/lib/specializations';
import { Avatar } from '@/ui/Avatar';
import { Badge } from '@/ui/Badge';
import { LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Grid } from '@/ui/Grid';
import { Inline } from '@/ui/Inline';
import { Link } from '@/ui/Link';
import { Stack } from '@/ui/Stack';
import { useNow } from '@/ui/useNow';
import styles from './dashboard.module.css';

/** The server's limit; adminpanel/queries/dashboard.py MAX_DECISIONS. */
const MAX_CASES = 20;

interface Props {
  decisions: DecisionWaiting[];
  totals: Pick<Overview['totals'], 'newApplications' | 'renewals'>;
}

/** Pending applications, oldest first; each decision shows the evidence first. */
export function PendingDecisions({ decisions, totals: { newApplications, renewals } }: Props) {
  const { t } = useLingui();
  const all = newApplications + renewals;
  const now = new Date(useNow());
  const isFull = decisions.length >= MAX_CASES;
  return (
    <Stack as="section" gap={2} aria-labelledby="decisions">
      <Inline rowGap={0} align="baseline">
        <h2 id="decisions">{t`Waiting for your decision`}</h2>
        {all > 0 && <CountBadge>{formatCount(all)}</CountBadge>}
        {renewals > 0 && (
          <span className="muted">
            <Trans>
              <Plural value={newApplications} one="# new application" other="# new applications" />,{' '}
              <Plural value={renewals} one="# renewal" other="# renewals" />
            </Trans>
          </span>
        )}
      </Inline>
      {decisions.length === 0 ? (
        <p className={styles.empty}>{t`No doctors are waiting for a decision.`}</p>
      ) : (
        <Card as="ul" flush divided>
          {decisions.map((decision) => (
            <DecisionRow key={decision._id} decision={decision} now={now} />
          ))}
        </Card>
      )}
      {isFull && <Link href={paths.adminDoctors()}>{t`All doctors, waiting longest first`}</Link>}
    </Stack>
  );
}

function DecisionRow({ decision, now }: { decision: DecisionWaiting; now: Date }) {
  const { t } = useLingui();
  const { submittedAt, kind, missing, doctor } = decision;
  const name = doctorName(doctor.name);
  const age = formatAge(submittedAt, now);
  return (
    <Grid as="li" rowGap={2} align="center" className={styles.decision}>
      <Avatar name={doctor.name} src={doctor.profilePicture} size={48} />
      <Stack gap={0} className={styles.doctor}>
        <strong>{name}</strong>
        <span className="muted">
          {formatFacts([specializationLabel(doctor.specialization), doctor.hospital])}
        </span>
        <Inline as="span" gap={2}>
          <Badge tone="amber">{t(CASE_KIND_LABELS[kind])}</Badge>
          {missing.length > 0 && <Badge tone="red">{t`Incomplete`}</Badge>}
          <time dateTime={submittedAt} className="attention">
            {t`Waiting for ${age}`}
          </time>
        </Inline>
      </Stack>
      <Inline gap={2} justify="end" className={styles.actions}>
        <DecisionButtons doctor={{ ...doctor, isApproved: kind === 'renewal' }} isOpen />
        <LinkButton variant="secondary" href={paths.adminDoctor(doctor._id)}>
          <Trans>
            View Details<span className="visually-hidden"> of {name}</span>
          </Trans>
        </LinkButton>
      </Inline>
    </Grid>
  );
}
