import { Trans } from '@lingui/react/macro';
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
  const { siteName } = getSiteSettings();
  return (
    <div className={styles.note}>
      <Banner tone="warning">
        <Inline>
          <span>
            <Trans>We can’t reach {siteName} right now. You’re still signed in.</Trans>
          </span>
          <Button variant="secondary" onClick={retry}>
            <Trans>Try again</Trans>
          </Button>
        </Inline>
      </Banner>
    </div>
  );
}
