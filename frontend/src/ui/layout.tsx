import type { ComponentPropsWithRef, ElementType } from 'react';
import { cx } from '@/lib/cx';
import styles from './layout.module.css';

/** A step of the spacing scale: 4 is `--space-4`; 0 is none. */
export type Space = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7;

interface LayoutOptions {
  gap?: Space;
  /** The row gap, if it differs from `gap`. */
  rowGap?: 0 | 1 | 2 | 3;
  align?: 'start' | 'center' | 'end' | 'baseline' | 'stretch';
  justify?: 'between' | 'center' | 'end';
  /** On a phone, put each child on its own line. */
  fillOnPhone?: true;
  /** With a line between the children. */
  divided?: true;
}

/** The props of a layout primitive rendered as the element or component `T`. */
export type LayoutProps<T extends ElementType> = LayoutOptions & {
  as?: T;
} & Omit<ComponentPropsWithRef<T>, keyof LayoutOptions | 'as'>;

interface Props extends LayoutOptions {
  as?: ElementType;
  kind: 'stack' | 'inline' | 'line' | 'grid';
  className?: string;
}

/** Shared by the layout primitives; not for other use. */
export function Layout({
  as: Tag = 'div',
  kind,
  gap,
  rowGap,
  align,
  justify,
  fillOnPhone,
  divided,
  className,
  ...props
}: Props) {
  return (
    <Tag
      {...props}
      className={cx(styles[kind], className)}
      data-gap={gap}
      data-row-gap={rowGap}
      data-align={align}
      data-justify={justify}
      data-phone={fillOnPhone && 'fill'}
      data-divided={divided}
    />
  );
}
