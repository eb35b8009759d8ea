import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { OwnCase } from '@/api/types';
import { formatDate, formatInstant } from '@/lib/dates';
import { formatFileSize } from '@/lib/fileSize';
import { formatFacts } from '@/lib/formatList';
import { specializationLabel } from '@/lib/specializations';
import { Badge } from '@/ui/Badge';
import { Card } from '@/ui/Card';
import { FactList } from '@/ui/FactList';
import { Grid } from '@/ui/Grid';
import { Toolbar } from '@/ui/Toolbar';
import styles from './verification.module.css';
import { CASE_STATE_LABELS } from './verificationStatus';

/** All applications, newest first, with their decisions. */
export function ApplicationHistory({ cases }: { cases: OwnCase[] }) {
  return (
    <Grid as="ul" gap={3}>
      {cases.map((each) => (
        <Case key={each._id} each={each} />
      ))}
    </Grid>
  );
}

function Case({ each }: { each: OwnCase }) {
  const { t } = useLingui();
  const { label, tone } = CASE_STATE_LABELS[each.state];
  const submittedAt = formatInstant(each.submittedAt);
  const license = [each.licenseNumber, each.licenseAuthority, each.licenseRegion];
  return (
    <Card as="li" tight gap={3}>
      <Toolbar rowGap={1} gap={4}>
        <h3 className="card-title">
          <Trans>Sent {submittedAt}</Trans>
        </h3>
        <Badge tone={tone}>{t(label)}</Badge>
      </Toolbar>
      <FactList className={styles.facts}>
        <Fact name={t`Specialization`}>{specializationLabel(each.specialization)}</Fact>
        <Fact name={t`License`}>{formatFacts(license)}</Fact>
        <Fact name={t`Valid until`}>
          {each.licenseExpiresOn && formatDate(each.licenseExpiresOn)}
        </Fact>
        <Fact name={t`Document`}>
          {each.document && formatFacts([each.document.name, formatFileSize(each.document.size)])}
        </Fact>
        {each.message && <Fact name={t`Your message`}>{each.message}</Fact>}
        {each.decidedAt && <Fact name={t`Decided`}>{formatInstant(each.decidedAt)}</Fact>}
        {each.reason && <Fact name={t`Reason`}>{each.reason}</Fact>}
      </FactList>
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  const { t } = useLingui();
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children || <span className="muted">{t`Not given`}</span>}</dd>
    </div>
  );
}
