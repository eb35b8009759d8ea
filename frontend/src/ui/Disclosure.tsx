import type { ReactNode } from 'react';
import styles from './Disclosure.module.css';
import { ChevronDownIcon } from './icons';

interface Props {
  summary: ReactNode;
  children: ReactNode;
  open?: boolean;
}

/** Something folded away behind a line. */
export function Disclosure({ summary, children, open }: Props) {
  return (
    <details className={styles.details} open={open}>
      <summary className={styles.summary}>
        <ChevronDownIcon className={styles.icon} size={20} />
        {summary}
      </summary>
      <div className={styles.content}>{children}</div>
    </details>
  );
}
