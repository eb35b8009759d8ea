import { Link } from 'react-router-dom';
import type { LinkProps } from '@/ui/Link';

/** Follow links of the building blocks through the router. */
export function RouterLink({ href, keepScroll, ...props }: LinkProps) {
  return <Link {...props} to={href} state={keepScroll ? { keepScroll } : undefined} />;
}
