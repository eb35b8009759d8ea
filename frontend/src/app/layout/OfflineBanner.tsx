import { OFFLINE, useIsOnline } from '@/lib/online';
import styles from './OfflineBanner.module.css';

/** Above every page while there is no network. The region is always there, so that screen readers announce it. */
export function OfflineBanner() {
  const isOnline = useIsOnline();
  return (
    <div aria-live="polite" className={styles.container} data-print="no">
      {!isOnline && <p className={styles.note}>{OFFLINE}</p>}
    </div>
  );
}
