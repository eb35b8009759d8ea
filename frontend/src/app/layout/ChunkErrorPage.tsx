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
          <PageHeading lead="Check your connection, then try again. Nothing you saved is lost.">
            This page didn't load
          </PageHeading>
          <Inline>
            <Button onClick={reload} busy={wasOffline}>
              Try again
            </Button>
            <a href={paths.home}>Go to the home page</a>
          </Inline>
        </>
      ) : (
        <PageHeading lead="We'll open this page when you're back.">You're offline</PageHeading>
      )}
    </Stack>
  );
}
