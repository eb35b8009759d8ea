import { Trans } from '@lingui/react/macro';
import { browserZone, formatTime, inZone, viewerClock } from '@/lib/dates';
import styles from './HoldExpiry.module.css';
import type { HoldState } from './hold';

/**
 * The expiry of the hold in the user's time zone, which is named if the clinic's `zone` differs. It
 * is never announced.
 */
export function HoldExpiry({ hold, zone }: { hold: HoldState; zone: string }) {
  if (hold.state !== 'held') return null;
  const time = formatTime(inZone(hold.until, browserZone()).time);
  return (
    <span className={styles.expiry}>
      {viewerClock(hold.until, zone) ? (
        <Trans>
          Held for you until <time dateTime={hold.until}>{time}</time> your time
        </Trans>
      ) : (
        <Trans>
          Held for you until <time dateTime={hold.until}>{time}</time>
        </Trans>
      )}
    </span>
  );
}
