import { Trans } from '@lingui/react/macro';
import { cx } from '@/lib/cx';
import styles from './Spinner.module.css';

interface Props {
  /** A spinner in a line of text or a button; the text says what is in progress. */
  small?: boolean;
}

export function Spinner({ small }: Props) {
  if (small) return <span className={cx(styles.ring, styles.small)} aria-hidden="true" />;
  return (
    <div className={styles.page} role="status" data-waiting="">
      <span className={styles.ring} aria-hidden="true" />
      <span className="visually-hidden">
        <Trans>Loading</Trans>
      </span>
    </div>
  );
}
