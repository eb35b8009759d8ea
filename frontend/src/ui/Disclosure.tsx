import { type ReactNode, useState } from 'react';
import styles from './Disclosure.module.css';
import { ChevronDownIcon } from './icons';

interface Props {
  summary: ReactNode;
  children: ReactNode;
  open?: boolean;
  /** Render the content only once expanded, for content with requests. */
  lazy?: boolean;
}

/** Content that expands below a summary line. */
export function Disclosure({ summary, children, open, lazy }: Props) {
  const [wanted, setWanted] = useState(open || !lazy);
  return (
    <details
      className={styles.details}
      open={open}
      onToggle={wanted ? undefined : ({ currentTarget }) => setWanted(currentTarget.open)}
    >
      <summary className={styles.summary}>
        <ChevronDownIcon className={styles.icon} size={20} />
        {summary}
      </summary>
      {wanted && <div className={styles.content}>{children}</div>}
    </details>
  );
}
