import { useSession, visitorsOnly } from '@/domain/session/session';
import { LinkButton } from '@/ui/Button';
import { PageHeading } from '@/ui/PageHeading';
import { actionsFor, closingAction } from './actions';
import { Benefits } from './Benefits';
import { CallToAction } from './CallToAction';
import { Carousel } from './Carousel';
import { HeroIllustration } from './HeroIllustration';
import { HeroSearch } from './HeroSearch';
import styles from './HomePage.module.css';
import { Stats } from './Stats';

export default function HomePage() {
  const session = useSession();
  const { user, state } = session;
  const role = user?.role ?? null;
  return (
    <div className={styles.page}>
      <section className={styles.hero}>
        <div className={styles.words}>
          <PageHeading title="Wellhour" className={styles.title}>
            A doctor you can trust, at an hour that suits you
          </PageHeading>
          <p className={styles.lead}>
            Search verified doctors, see their real free times, and book in a minute.
          </p>
          <HeroSearch />
          <div className={styles.actions} {...visitorsOnly(session)}>
            {state !== 'loading' &&
              actionsFor(role).map((action) => (
                <LinkButton key={action.href} variant="secondary" href={action.href}>
                  {action.label}
                </LinkButton>
              ))}
          </div>
        </div>
        <HeroIllustration className={styles.art} />
      </section>
      <Stats />
      <Carousel />
      <Benefits />
      <div {...visitorsOnly(session)}>
        <CallToAction action={closingAction(role)} />
      </div>
    </div>
  );
}
