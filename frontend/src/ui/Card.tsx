import type { HTMLAttributes } from 'react';
import { cx } from '@/lib/cx';
import styles from './Card.module.css';
import type { Space } from './layout';

interface Props extends HTMLAttributes<HTMLElement> {
  as?: 'div' | 'section' | 'article' | 'li';
  /** Less padding. */
  tight?: boolean;
  /** Its parts below each other, this step apart. */
  gap?: Space;
}

/** A white sheet on the paper. */
export function Card({ as: Tag = 'div', tight, gap, className, ...props }: Props) {
  return (
    <Tag {...props} className={cx(styles.card, tight && styles.tight, className)} data-gap={gap} />
  );
}
