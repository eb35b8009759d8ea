import type { HTMLAttributes } from 'react';
import { cx } from '@/lib/cx';
import styles from './Card.module.css';

interface Props extends HTMLAttributes<HTMLElement> {
  as?: 'div' | 'section' | 'article' | 'li';
  /** Less padding. */
  tight?: boolean;
  /** Its parts below each other, with room between them. */
  stacked?: boolean;
}

/** A white sheet on the paper. */
export function Card({ as: Tag = 'div', tight, stacked, className, ...props }: Props) {
  return (
    <Tag
      {...props}
      className={cx(styles.card, tight && styles.tight, stacked && styles.stacked, className)}
    />
  );
}
