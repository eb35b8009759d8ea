import { Trans } from '@lingui/react/macro';
import styles from './schedule.module.css';

/** The error of a field. */
export function FieldError({ id, text: error }: { id?: string; text: string }) {
  return (
    <span id={id} className={styles.error}>
      <Trans>
        <span className="visually-hidden">Error: </span>
        {error}
      </Trans>
    </span>
  );
}
