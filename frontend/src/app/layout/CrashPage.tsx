import { Trans, useLingui } from '@lingui/react/macro';
import { paths } from '@/lib/paths';
import { Button } from '@/ui/Button';
import { Inline } from '@/ui/Inline';
import { PageHeading } from '@/ui/PageHeading';
import { Stack } from '@/ui/Stack';
import styles from './CrashPage.module.css';

/** Shown when a page crashed. Uses a plain link, in case the router broke too. */
export function CrashPage() {
  const { t } = useLingui();
  return (
    <Stack gap={6} justify="center" className={styles.page}>
      <PageHeading
        lead={t`This page stopped working. It’s our fault, not yours, and nothing you saved is lost.`}
      >
        {t`Something went wrong`}
      </PageHeading>
      <Inline>
        <Button onClick={() => window.location.reload()}>
          <Trans>Try again</Trans>
        </Button>
        <a href={paths.home}>
          <Trans>Go to the home page</Trans>
        </a>
      </Inline>
    </Stack>
  );
}
