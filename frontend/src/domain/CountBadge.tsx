import styles from './CountBadge.module.css';

/** A count beside a heading. */
export function CountBadge({ children }: { children: number | string }) {
  return <span className={styles.count}>{children}</span>;
}
