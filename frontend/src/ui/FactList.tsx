import type { ComponentPropsWithRef } from 'react';
import { cx } from '@/lib/cx';
import styles from './FactList.module.css';
import type { Space } from './layout';

interface Props extends ComponentPropsWithRef<'dl'> {
  gap?: Space;
  /** For labels of one short word. */
  short?: boolean;
}

/** Facts, each a `div` of one `dt` and one `dd`, with the label beside the value; `--label` is its width. */
export function FactList({ gap = 1, short, className, ...props }: Props) {
  return (
    <dl {...props} className={cx(styles.facts, short && styles.short, className)} data-gap={gap} />
  );
}
