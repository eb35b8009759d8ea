import { useSession } from '@/domain/session/session';
import { getSiteSettings } from '@/lib/siteSettings';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Inline } from '@/ui/Inline';
import styles from './SessionErrorBanner.module.css';

/** Shown above public pages if the session could not be checked. */
export function SessionErrorBanner() {
  const { state, retry } = useSession();
  if (state !== 'unreachable') return null;
  return (
    <div className={styles.note}>
      <Banner tone="warning">
        <Inline>
          <span>
            We can't reach {getSiteSettings().siteName} right now. You're still signed in.
          </span>
          <Button variant="secondary" onClick={retry}>
            Try again
          </Button>
        </Inline>
      </Banner>
    </div>
  );
}
