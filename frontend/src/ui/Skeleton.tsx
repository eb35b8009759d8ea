import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { cx } from '@/lib/cx';
import { OFFLINE, useIsOnline } from '@/lib/online';
import { EmptyState } from './EmptyState';
import styles from './Skeleton.module.css';
import { Stack } from './Stack';

/**
 * A gray bar in place of loading text or pictures. An SVG, because the content security policy
 * forbids style attributes in prerendered pages.
 */
export function Skeleton({
  width = '100%',
  height = '1em',
  className,
}: {
  width?: string | number;
  height?: string | number;
  className?: string;
}) {
  return (
    <svg
      className={cx(styles.bar, className)}
      width={width}
      height={height}
      aria-hidden="true"
      data-waiting=""
    />
  );
}

/** Bars in the shape of the loading content, announced as one word; offline, a sentence instead. */
export function Skeletons({ count = 3, children }: { count?: number; children: ReactNode }) {
  const { t } = useLingui();
  const isOnline = useIsOnline();
  if (!isOnline) {
    return (
      <div role="status">
        <EmptyState title={t(OFFLINE)} />
      </div>
    );
  }
  return (
    <div role="status">
      <span className="visually-hidden">
        <Trans>Loading</Trans>
      </span>
      <Stack aria-hidden="true">
        {Array.from({ length: count }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: identical bars have no other key.
          <div key={index}>{children}</div>
        ))}
      </Stack>
    </div>
  );
}
