import type { ReactNode } from 'react';
import type { Overview } from '@/api/types';
import { formatCount } from '@/lib/counts';
import { formatRelative } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { Badge } from '@/ui/Badge';
import { Card } from '@/ui/Card';
import { CheckIcon, WarningIcon } from '@/ui/icons';
import { Link } from '@/ui/Link';
import { Stack } from '@/ui/Stack';
import { useNow } from '@/ui/useNow';
import styles from './dashboard.module.css';

type State = Overview['health'];

/** Describe waiting and failed messages. */
export function queueText({ waiting, failed }: Pick<State['notices'], 'waiting' | 'failed'>) {
  const parts = [
    failed > 0 && `${formatCount(failed)} could not be sent`,
    waiting > 0 && `${formatCount(waiting)} to be sent`,
  ].filter(Boolean);
  return parts.join(', ') || 'All are sent';
}

/** The health of the background jobs. */
export function Health({ health }: { health: State }) {
  const now = useNow();
  const ago = (instant: string) => formatRelative(instant, new Date(now));
  const { version, housekeeping, notices, audit } = health;
  return (
    <Card as="section" tight gap={3} aria-labelledby="health">
      <h2 id="health">Health of the system</h2>
      <Stack as="dl" gap={3} className={styles.health}>
        <Line
          name="Housekeeping"
          isHealthy={!housekeeping.late}
          problemLabel="Late"
          text={housekeeping.beatAt ? `Last round ${ago(housekeeping.beatAt)}` : 'Has never run'}
        />
        <Line
          name={<a href={paths.staffNotices}>Messages</a>}
          isHealthy={!notices.late && notices.failed === 0}
          problemLabel={notices.late ? 'Held up' : 'Failed'}
          text={queueText(notices)}
        />
        <Line
          name={<Link href={paths.adminAudit()}>Audit seals</Link>}
          isHealthy={!audit.late}
          problemLabel="Behind"
          text={[
            audit.sealedAt ? `Sealed ${ago(audit.sealedAt)}` : 'Not sealed yet',
            audit.unsealed > 0 && `${formatCount(audit.unsealed)} rows to go`,
          ]
            .filter(Boolean)
            .join(', ')}
        />
      </Stack>
      <p className="muted">Version {version}</p>
      {(housekeeping.late || notices.late) && (
        <p>
          {housekeeping.late
            ? 'Until the housekeeping runs again, nobody is reminded, unanswered requests stay open and the trail is not sealed.'
            : 'Until the delivery runs again, no message goes out.'}{' '}
          Tell the person who runs the server.
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
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Badge
          tone={isHealthy ? 'green' : 'red'}
          icon={isHealthy ? <CheckIcon size={18} /> : <WarningIcon size={18} />}
        >
          {isHealthy ? 'Well' : problemLabel}
        </Badge>
      </dd>
      <dd className="muted">{text}</dd>
    </div>
  );
}
