import type { HTMLAttributes } from 'react';
import { cx } from '@/lib/cx';
import styles from './FactList.module.css';

interface Props extends HTMLAttributes<HTMLDListElement> {
  /** For labels of one short word. */
  short?: boolean;
}

/** Facts, each a `div` of one `dt` and one `dd`, with the label beside the value. */
export function FactList({ short, ...props }: Props) {
  return <dl {...props} className={cx(styles.facts, short && styles.short)} />;
}
