import { browserZone, inZone, ownTime } from '@/lib/dates';
import type { Keeping } from './hold';
import styles from './KeptUntil.module.css';

/** Until when the time is kept, on the person's own clock, and whose it is where the clinic's in `zone` shows another. It changes quietly and is never read out. */
export function KeptUntil({ keeping, zone }: { keeping: Keeping; zone: string }) {
  switch (keeping.state) {
    case 'kept':
      return (
        <span className={styles.kept}>
          Kept for you until{' '}
          <time dateTime={keeping.until}>{inZone(keeping.until, browserZone()).time}</time>
          {ownTime(keeping.until, zone) && ' your time'}
        </span>
      );
    case 'over':
      return (
        <span className={styles.kept}>
          No longer kept for you. You can still book it if nobody else has.
        </span>
      );
    case 'refused':
      return <span className={styles.kept}>This time can’t be kept for you</span>;
    default:
      return null;
  }
}
