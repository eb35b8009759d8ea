import { browserZone, inZone, ownTime } from '@/lib/dates';
import styles from './HoldExpiry.module.css';
import type { Keeping } from './hold';

/**
 * Until when the time is held, on the person's own clock, which is named where the clinic's in `zone`
 * shows another time. It changes quietly and is never read out.
 */
export function HoldExpiry({ keeping, zone }: { keeping: Keeping; zone: string }) {
  if (keeping.state !== 'kept') return null;
  return (
    <span className={styles.expiry}>
      Held for you until{' '}
      <time dateTime={keeping.until}>{inZone(keeping.until, browserZone()).time}</time>
      {ownTime(keeping.until, zone) && ' your time'}
    </span>
  );
}
