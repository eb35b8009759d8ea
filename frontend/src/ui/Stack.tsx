import type { ElementType } from 'react';
import { Layout, type LayoutProps } from './layout';

/** Children below each other, a step apart. */
export function Stack<T extends ElementType = 'div'>(props: LayoutProps<T>) {
  return <Layout gap={4} {...props} kind="stack" />;
}
