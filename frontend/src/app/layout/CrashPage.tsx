import { paths } from '@/lib/paths';
import { Button } from '@/ui/Button';
import { Inline } from '@/ui/Inline';
import { PageHeading } from '@/ui/PageHeading';
import { Stack } from '@/ui/Stack';
import styles from './CrashPage.module.css';

/** Shown when a page crashed. Uses a plain link, in case the router broke too. */
export function CrashPage() {
  return (
    <Stack gap={6} justify="center" className={styles.page}>
      <PageHeading lead="This page stopped working. It's our fault, not yours, and nothing you saved is lost.">
        Something went wrong
      </PageHeading>
      <Inline>
        <Button onClick={() => window.location.reload()}>Try again</Button>
        <a href={paths.home}>Go to the home page</a>
      </Inline>
    </Stack>
  );
}
