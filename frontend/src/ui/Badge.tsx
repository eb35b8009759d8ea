import type { ReactNode } from 'react';
import { cx } from '@/lib/cx';
import styles from './Badge.module.css';

export type BadgeTone = 'green' | 'amber' | 'red' | 'blue' | 'neutral' | 'primary' | 'accent';

/** A short word on its soft colour, with an icon when it says a status. */
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
