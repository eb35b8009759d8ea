import type { ElementType } from 'react';
import { Layout, type LayoutProps } from './layout';

/** Children side by side, vertically centered; they wrap unless told otherwise. */
export function Inline<T extends ElementType = 'div'>({
  wrap,
  ...props
}: LayoutProps<T> & { wrap?: false }) {
  return <Layout gap={3} {...props} kind={wrap === false ? 'line' : 'inline'} />;
}
