import type { ElementType } from 'react';
import { Layout, type LayoutProps } from './layout';

/** Stacked children with a gap. */
export function Stack<T extends ElementType = 'div'>(props: LayoutProps<T>) {
  return <Layout gap={4} {...props} kind="stack" />;
}
