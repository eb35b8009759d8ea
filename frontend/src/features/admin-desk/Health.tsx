import type { ReactNode } from 'react';
import type { Overview } from '@/api/types';
import { formatCount } from '@/lib/counts';
import { formatRelative } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { Badge } from '@/ui/Badge';
import { CheckIcon, WarningIcon } from '@/ui/icons';
import { Link } from '@/ui/Link';
import { useNow } from '@/ui/useNow';
import styles from './dashboard.module.css';

type State = Overview['health'];

/** Rows settle for five minutes before they are sealed, and the housekeeping passes every minute. */
const SEALED_WITHIN_MS = 60 * 60_000;

/** Tell whether the trail is sealed as it should be: nothing waits, or it was done lately. */
export function isSealed({ sealedAt, unsealed }: State['audit'], now: number): boolean {
  if (unsealed === 0) return true;
  return sealedAt !== null && now - Date.parse(sealedAt) < SEALED_WITHIN_MS;
}

/** How the system's own work stands. */
export function Health({ health }: { health: State }) {
  const now = useNow();
  const ago = (instant: string) => formatRelative(instant, new Date(now));
  const { housekeeping, notices, audit } = health;
  return (
    <section className={styles.sheet} aria-labelledby="health">
      <h2 id="health">Health of the system</h2>
      <dl className={styles.health}>
        <Line
          name="Housekeeping"
          fine={!housekeeping.late}
          trouble="Late"
          text={housekeeping.beatAt ? `Last round ${ago(housekeeping.beatAt)}` : 'Has never run'}
        />
        <Line
          name="Notices"
          fine={!housekeeping.late || notices.waiting === 0}
          trouble="Held up"
          text={
            notices.waiting === 0 ? 'All are sent' : `${formatCount(notices.waiting)} to be sent`
          }
        />
        <Line
          name={<Link href={paths.adminAudit()}>Audit seals</Link>}
          fine={isSealed(audit, now)}
          trouble="Behind"
          text={[
            audit.sealedAt ? `Sealed ${ago(audit.sealedAt)}` : 'Not sealed yet',
            audit.unsealed > 0 && `${formatCount(audit.unsealed)} rows to go`,
          ]
            .filter(Boolean)
            .join(', ')}
        />
      </dl>
    </section>
  );
}

interface LineProps {
  name: ReactNode;
  fine: boolean;
  /** The word for when it is not. */
  trouble: string;
  text: string;
}

function Line({ name, fine, trouble, text }: LineProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Badge
          tone={fine ? 'green' : 'red'}
          icon={fine ? <CheckIcon size={18} /> : <WarningIcon size={18} />}
        >
          {fine ? 'Well' : trouble}
        </Badge>
      </dd>
      <dd className="muted">{text}</dd>
    </div>
  );
}
