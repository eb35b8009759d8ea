import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { getConfig } from '@/api/queries';
import { useIsOnline } from '@/lib/online';
import { paths } from '@/lib/paths';
import { Button } from '@/ui/Button';
import { Inline } from '@/ui/Inline';
import { PageHeading } from '@/ui/PageHeading';
import { Stack } from '@/ui/Stack';
import styles from './CrashPage.module.css';

const reload = () => window.location.reload();

/**
 * The code of this page could not be loaded. Reload as soon as the server responds:
 * browsers may remember a failed import, and a reload without a network would lose the application too.
 */
export function ChunkErrorPage() {
  const { t } = useLingui();
  const isOnline = useIsOnline();
  const [wasOffline, setWasOffline] = useState(!isOnline);
  if (!isOnline && !wasOffline) setWasOffline(true);

  useEffect(() => {
    if (!isOnline || !wasOffline) return;
    getConfig().then(reload, () => setWasOffline(false));
  }, [isOnline, wasOffline]);

  return (
    <Stack gap={6} justify="center" className={styles.page}>
      {isOnline ? (
        <>
          <PageHeading lead={t`Check your connection, then try again. Nothing you saved is lost.`}>
            {t`This page didn’t load`}
          </PageHeading>
          <Inline>
            <Button onClick={reload} busy={wasOffline}>
              <Trans>Try again</Trans>
            </Button>
            <a href={paths.home}>
              <Trans>Go to the home page</Trans>
            </a>
          </Inline>
        </>
      ) : (
        <PageHeading
          lead={t`We’ll open this page when you’re back.`}
        >{t`You’re offline`}</PageHeading>
      )}
    </Stack>
  );
}
