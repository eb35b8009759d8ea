import { type AnchorHTMLAttributes, type ComponentType, createContext, use } from 'react';

export interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  href: string;
  /** Replace the entry in the history instead of adding one. */
  replace?: boolean;
  /** Keep the scroll position (filters, tabs). */
  keepScroll?: boolean;
  ref?: React.Ref<HTMLAnchorElement>;
}

function PlainLink({ replace: _, keepScroll: __, ...props }: LinkProps) {
  return <a {...props} />;
}

/** `ui/` has no router: the app provides the component that navigates. */
export const LinkContext = createContext<ComponentType<LinkProps>>(PlainLink);

/** A link within the site. */
export function Link(props: LinkProps) {
  const Component = use(LinkContext);
  return <Component {...props} />;
}
