import { useSession, visitorsOnly } from '@/domain/session/session';
import { LinkButton } from '@/ui/Button';
import { PageHeading } from '@/ui/PageHeading';
import { actionsFor, closingAction } from './actions';
import { Carousel } from './Carousel';
import { Claims } from './Claims';
import { Closing } from './Closing';
import { HeroArt } from './HeroArt';
import { HeroSearch } from './HeroSearch';
import styles from './HomePage.module.css';
import { Why } from './Why';

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
        <HeroArt className={styles.art} />
      </section>
      <Claims />
      <Carousel />
      <Why />
      <div {...visitorsOnly(session)}>
        <Closing action={closingAction(role)} />
      </div>
    </div>
  );
}
