import { useLingui } from '@lingui/react/macro';
import { OFFLINE, useIsOnline } from '@/lib/online';
import styles from './OfflineBanner.module.css';

/** Shown above every page while offline. The region always exists, so that screen readers announce changes. */
export function OfflineBanner() {
  const { t } = useLingui();
  const isOnline = useIsOnline();
  return (
    <div aria-live="polite" className={styles.container} data-print="no">
      {!isOnline && <p className={styles.note}>{t(OFFLINE)}</p>}
    </div>
  );
}
