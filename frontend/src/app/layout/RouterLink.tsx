import { useHref, useLinkClickHandler } from 'react-router-dom';
import type { LinkProps } from '@/ui/Link';

/**
 * Follow links of the building blocks through the router. This uses the router's hooks because its `Link`
 * also loads the prefetching of its framework mode on every page.
 */
export function RouterLink({ href, replace, keepScroll, onClick, ...props }: LinkProps) {
  const address = useHref(href);
  const follow = useLinkClickHandler<HTMLAnchorElement>(href, {
    replace,
    target: props.target,
    state: keepScroll ? { keepScroll } : undefined,
  });
  return (
    <a
      {...props}
      href={address}
      onClick={(event) => {
        onClick?.(event);
        if (!event.defaultPrevented) follow(event);
      }}
    />
  );
}
