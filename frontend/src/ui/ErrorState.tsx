import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { OFFLINE, useIsOnline } from '@/lib/online';
import { Button } from './Button';
import { EmptyState } from './EmptyState';
import styles from './EmptyState.module.css';

interface Props {
  title: string;
  children?: ReactNode;
  onRetry?: () => void;
  busy?: boolean;
}

/** Says what could not be loaded and offers a retry; after an offline period queries retry by themselves. */
export function ErrorState({ title, children, onRetry, busy }: Props) {
  const { t } = useLingui();
  const isOnline = useIsOnline();
  if (!isOnline) {
    return (
      <div role="alert">
        <EmptyState title={t(OFFLINE)} />
      </div>
    );
  }
  return (
    <div className={styles.empty} role="alert">
      <p className={styles.title}>{title}</p>
      <div className="muted">{children ?? t`Check your connection, then try again.`}</div>
      {onRetry && (
        <Button variant="secondary" busy={busy} onClick={onRetry}>
          <Trans>Try again</Trans>
        </Button>
      )}
    </div>
  );
}
