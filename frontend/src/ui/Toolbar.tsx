import type { ElementType } from 'react';
import { Layout, type LayoutProps } from './layout';

/** Children side by side, justified to both ends; they wrap. */
export function Toolbar<T extends ElementType = 'div'>(props: LayoutProps<T>) {
  return <Layout gap={3} {...props} justify="between" kind="inline" />;
}
