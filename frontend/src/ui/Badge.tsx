import type { ReactNode } from 'react';
import { cx } from '@/lib/cx';
import styles from './Badge.module.css';

export type BadgeTone = 'green' | 'amber' | 'red' | 'blue' | 'neutral' | 'primary' | 'accent';

/** A short word on a soft color, with an icon for a status. */
export function Badge({
  tone = 'neutral',
  icon,
  children,
}: {
  tone?: BadgeTone;
  icon?: ReactNode;
  children: ReactNode;
}) {
  return (
    <span className={cx(styles.badge, styles[tone])}>
      {icon}
      {children}
    </span>
  );
}
