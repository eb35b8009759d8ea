import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Overview } from '@/api/types';
import { formatRelative } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { Badge } from '@/ui/Badge';
import { Card } from '@/ui/Card';
import { CheckIcon, WarningIcon } from '@/ui/icons';
import { Link } from '@/ui/Link';
import { Stack } from '@/ui/Stack';
import { useNow } from '@/ui/useNow';
import styles from './dashboard.module.css';
import { queueText, sealText } from './texts';

type State = Overview['health'];

/** The health of the background jobs. */
export function Health({ health }: { health: State }) {
  const { t } = useLingui();
  const now = useNow();
  const ago = (instant: string) => formatRelative(instant, new Date(now));
  const { version, housekeeping, notices, audit } = health;
  const lastRun = housekeeping.beatAt && ago(housekeeping.beatAt);
  return (
    <Card as="section" tight gap={3} aria-labelledby="health">
      <h2 id="health">{t`System status`}</h2>
      <Stack as="dl" gap={3} className={styles.health}>
        <Line
          name={t`Background jobs`}
          isHealthy={!housekeeping.late}
          problemLabel={t`Late`}
          text={lastRun ? t`Last run ${lastRun}` : t`Never run`}
        />
        <Line
          name={<a href={paths.staffNotices}>{t`Messages`}</a>}
          isHealthy={!notices.late && notices.failed === 0}
          problemLabel={notices.late ? t`Delayed` : t`Failed`}
          text={queueText(notices)}
        />
        <Line
          name={<Link href={paths.adminAudit()}>{t`Audit log`}</Link>}
          isHealthy={!audit.late}
          problemLabel={t`Delayed`}
          text={sealText(audit.unsealed, audit.sealedAt && ago(audit.sealedAt))}
        />
      </Stack>
      <p className="muted">
        <Trans>Version {version}</Trans>
      </p>
      {(housekeeping.late || notices.late) && (
        <p>
          {housekeeping.late
            ? t`Until background jobs run again, reminders aren’t sent, unanswered requests stay open, and the audit log isn’t sealed. Contact your system administrator.`
            : t`Until delivery runs again, no messages are sent. Contact your system administrator.`}
        </p>
      )}
    </Card>
  );
}

interface LineProps {
  name: ReactNode;
  isHealthy: boolean;
  /** The label if it is not healthy. */
  problemLabel: string;
  text: string;
}

function Line({ name, isHealthy, problemLabel, text }: LineProps) {
  const { t } = useLingui();
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Badge
          tone={isHealthy ? 'green' : 'red'}
          icon={isHealthy ? <CheckIcon size={18} /> : <WarningIcon size={18} />}
        >
          {isHealthy ? t`OK` : problemLabel}
        </Badge>
      </dd>
      <dd className="muted">{text}</dd>
    </div>
  );
}
