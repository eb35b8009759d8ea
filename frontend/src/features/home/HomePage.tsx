import { Trans, useLingui } from '@lingui/react/macro';
import { useSession, visitorAttributes } from '@/domain/session/session';
import { getSiteSettings } from '@/lib/siteSettings';
import { LinkButton } from '@/ui/Button';
import { Grid } from '@/ui/Grid';
import { Inline } from '@/ui/Inline';
import { PageHeading } from '@/ui/PageHeading';
import { Stack } from '@/ui/Stack';
import { actionsFor, closingAction } from './actions';
import { Benefits } from './Benefits';
import { CallToAction } from './CallToAction';
import { Carousel } from './Carousel';
import { HeroIllustration } from './HeroIllustration';
import { HeroSearch } from './HeroSearch';
import styles from './HomePage.module.css';
import { Stats } from './Stats';

export default function HomePage() {
  const { t } = useLingui();
  const session = useSession();
  const { user, state } = session;
  const role = user?.role ?? null;
  return (
    <Stack gap={0} className={styles.page}>
      <Grid as="section" gap={7} align="center" className={styles.hero}>
        <Stack>
          <PageHeading title={getSiteSettings().siteName} className={styles.title}>
            {t`See a doctor you trust, at a time that works for you`}
          </PageHeading>
          <p className={styles.lead}>
            <Trans>
              Search verified doctors, see real-time availability, and book in a minute.
            </Trans>
          </p>
          <HeroSearch />
          <Inline align="stretch" className={styles.actions} {...visitorAttributes(session)}>
            {state !== 'loading' &&
              actionsFor(role).map((action) => (
                <LinkButton key={action.href} variant="secondary" href={action.href}>
                  {t(action.label)}
                </LinkButton>
              ))}
          </Inline>
        </Stack>
        <HeroIllustration className={styles.art} />
      </Grid>
      <Stats />
      <Carousel />
      <Benefits />
      <div {...visitorAttributes(session)}>
        <CallToAction action={closingAction(role)} />
      </div>
    </Stack>
  );
}
