import { paths } from '@/lib/paths';
import { Button } from '@/ui/Button';
import { PageHeading } from '@/ui/PageHeading';
import styles from './CrashPage.module.css';

/** A page crashed: say so plainly, and offer the ways out. A plain link, in case the router broke too. */
export function CrashPage() {
  return (
    <div className={styles.page}>
      <PageHeading lead="This page stopped working. It's our fault, not yours, and nothing you saved is lost.">
        Something went wrong
      </PageHeading>
      <div className="row">
        <Button onClick={() => window.location.reload()}>Try again</Button>
        <a href={paths.home}>Go to the home page</a>
      </div>
    </div>
  );
}
