import type { ElementType } from 'react';
import { Layout, type LayoutProps } from './layout';

/** Children in a grid; the columns are set by a class. */
export function Grid<T extends ElementType = 'div'>(props: LayoutProps<T>) {
  return <Layout gap={4} {...props} kind="grid" />;
}
