import type { ReactNode } from 'react';
import styles from './EmptyState.module.css';

interface Props {
  title: string;
  /** What it means. */
  children?: ReactNode;
  /** What to do. */
  action?: ReactNode;
  art?: ReactNode;
}

/** Shown instead of an empty list: an explanation and an action. */
export function EmptyState({ title, children, action, art }: Props) {
  return (
    <div className={styles.empty}>
      {art && <div className={styles.art}>{art}</div>}
      <p className={styles.title}>{title}</p>
      {children && <div className="muted">{children}</div>}
      {action}
    </div>
  );
}
