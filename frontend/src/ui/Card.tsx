import type { HTMLAttributes } from 'react';
import { cx } from '@/lib/cx';
import styles from './Card.module.css';
import type { Space } from './layout';

interface Props extends HTMLAttributes<HTMLElement> {
  as?: 'div' | 'section' | 'article' | 'li' | 'ul' | 'ol';
  /** Less padding. */
  tight?: boolean;
  /** No padding, for a list. */
  flush?: boolean;
  /** With a line between the children. */
  divided?: true;
  /** Stack the children with this gap. */
  gap?: Space;
}

/** A card. */
export function Card({ as: Tag = 'div', tight, flush, divided, gap, className, ...props }: Props) {
  return (
    <Tag
      {...props}
      className={cx(styles.card, tight && styles.tight, flush && styles.flush, className)}
      data-gap={gap}
      data-divided={divided}
    />
  );
}
