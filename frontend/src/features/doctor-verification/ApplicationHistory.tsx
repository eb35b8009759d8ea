import type { ReactNode } from 'react';
import type { OwnCase } from '@/api/types';
import { formatDate, formatInstant } from '@/lib/dates';
import { formatFileSize } from '@/lib/fileSize';
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
  const { label, tone } = CASE_STATE_LABELS[each.state];
  const license = [each.licenseNumber, each.licenseAuthority, each.licenseRegion];
  return (
    <Card as="li" tight gap={3}>
      <Toolbar rowGap={1} gap={4}>
        <h3 className="card-title">Sent {formatInstant(each.submittedAt)}</h3>
        <Badge tone={tone}>{label}</Badge>
      </Toolbar>
      <FactList className={styles.facts}>
        <Fact name="Specialization">{each.specialization}</Fact>
        <Fact name="License">{license.filter(Boolean).join(', ')}</Fact>
        <Fact name="Valid until">{each.licenseExpiresOn && formatDate(each.licenseExpiresOn)}</Fact>
        <Fact name="Document">
          {each.document && `${each.document.name}, ${formatFileSize(each.document.size)}`}
        </Fact>
        {each.message && <Fact name="Your message">{each.message}</Fact>}
        {each.decidedAt && <Fact name="Decided">{formatInstant(each.decidedAt)}</Fact>}
        {each.reason && <Fact name="Reason">{each.reason}</Fact>}
      </FactList>
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children || <span className="muted">Not given</span>}</dd>
    </div>
  );
}
