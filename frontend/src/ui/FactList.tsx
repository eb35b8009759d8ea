import type { ComponentPropsWithRef } from 'react';
import { cx } from '@/lib/cx';
import styles from './FactList.module.css';
import type { Space } from './layout';

interface Props extends ComponentPropsWithRef<'dl'> {
  gap?: Space;
  /** For labels of one short word. */
  short?: boolean;
}

/**
 * A list of facts: each a `div` with a `dt` and a `dd` side by side; `--label` sets the width of
 * labels.
 */
export function FactList({ gap = 1, short, className, ...props }: Props) {
  return (
    <dl {...props} className={cx(styles.facts, short && styles.short, className)} data-gap={gap} />
  );
}
