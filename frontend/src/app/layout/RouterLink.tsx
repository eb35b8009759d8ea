import { useHref, useLinkClickHandler } from 'react-router-dom';
import type { LinkProps } from '@/ui/Link';

/**
 * Navigate links of `ui/` through the router. Uses hooks, because the router's `Link`
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
