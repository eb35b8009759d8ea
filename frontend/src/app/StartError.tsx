import { Button } from '@/ui/Button';
import { PageHeading } from '@/ui/PageHeading';
import { Stack } from '@/ui/Stack';
import styles from './layout/CrashPage.module.css';
import layout from './layout/Layout.module.css';

/** Shown if the application can't start, such as without its messages: in English, because it has no others. */
export function StartError() {
  return (
    <main lang="en" dir="ltr" className={layout.main}>
      <Stack gap={6} justify="center" className={styles.page} role="alert">
        <PageHeading lead="Check your connection, then try again.">
          This page didn’t load
        </PageHeading>
        <div>
          <Button onClick={() => window.location.reload()}>Try again</Button>
        </div>
      </Stack>
    </main>
  );
}
