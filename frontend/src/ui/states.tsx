import type { ReactNode } from 'react';
import { Button } from './Button';
import styles from './states.module.css';

interface EmptyProps {
  title: string;
  /** What it means. */
  children?: ReactNode;
  /** What to do. */
  action?: ReactNode;
  art?: ReactNode;
}

/** A list without entries: what it means and what to do. */
export function EmptyState({ title, children, action, art }: EmptyProps) {
  return (
    <div className={styles.state}>
      {art && <div className={styles.art}>{art}</div>}
      <p className={styles.title}>{title}</p>
      {children && <div className="muted">{children}</div>}
      {action}
    </div>
  );
}

interface ErrorProps {
  title: string;
  children?: ReactNode;
  onRetry?: () => void;
  busy?: boolean;
}

/** A list that could not be loaded: what happened, and a way to try again. */
export function ErrorState({ title, children, onRetry, busy }: ErrorProps) {
  return (
    <div className={styles.state} role="alert">
      <p className={styles.title}>{title}</p>
      <div className="muted">{children ?? 'Check your connection, then try again.'}</div>
      {onRetry && (
        <Button variant="secondary" busy={busy} onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}
