import type { ReactNode } from 'react';
import { cx } from '@/lib/cx';
import styles from './DataTable.module.css';

interface Column {
  label: string;
  /** Read out, not shown. */
  isVisuallyHidden?: boolean;
  isNumeric?: boolean;
}

interface Props {
  caption: string;
  columns: readonly (string | Column)[];
  /** Add the frame of a card. */
  framed?: boolean;
  /** On a phone, rows with `data-card` become cards with stacked cells. */
  cards?: boolean;
  className?: string;
  /** One or more `tbody`. Cells with `data-numeric` are aligned at the end. */
  children: ReactNode;
}

/** A table with a caption for screen readers and a row of column names. */
export function DataTable({ caption, columns, framed, cards, className, children }: Props) {
  return (
    <table
      className={cx(
        styles.table,
        (framed || cards) && styles.framed,
        cards && styles.cards,
        className,
      )}
    >
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => {
            const { label, isVisuallyHidden, isNumeric }: Column =
              typeof column === 'string' ? { label: column } : column;
            return (
              <th key={label} scope="col" data-numeric={isNumeric}>
                {isVisuallyHidden ? <span className="visually-hidden">{label}</span> : label}
              </th>
            );
          })}
        </tr>
      </thead>
      {children}
    </table>
  );
}
