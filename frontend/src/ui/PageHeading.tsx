import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { cx } from '@/lib/cx';
import { usePageTitle } from './documentTitle';
import { Inline } from './Inline';
import styles from './PageHeading.module.css';

// The address that the browser loaded: there its own focus is kept. A user who leaves before that page has
// shown its heading has navigated all the same.
const loadedPath = globalThis.location?.pathname;
// The address whose heading was shown last.
let shownPath: string | null = null;

/** The tab's title is the heading itself where that is one plain text; else it has to be given. */
type Named = { children: string; title?: string } | { children: ReactNode; title: string };

type Props = Named & {
  /** A sentence under the heading. */
  lead?: ReactNode;
  /** Buttons beside the heading. */
  actions?: ReactNode;
  className?: string;
  /** For pages that bring focus back to the heading. */
  ref?: RefObject<HTMLHeadingElement | null>;
};

/** The page's h1. Names the tab, and takes focus after a navigation so that it is read out. */
export function PageHeading({ children, title, lead, actions, className, ref }: Props) {
  const ownRef = useRef<HTMLHeadingElement>(null);
  const heading = ref ?? ownRef;
  usePageTitle(title ?? String(children));

  useEffect(() => {
    const { pathname } = window.location;
    const first = shownPath === null;
    const hasNavigated = pathname !== (shownPath ?? loadedPath);
    shownPath = pathname;
    // Within one address (view and edit, say) only a focus that was lost is caught here.
    const lost = !first && document.activeElement === document.body;
    if (hasNavigated || lost) heading.current?.focus({ preventScroll: true });
  }, [heading]);

  return (
    <div className={cx(styles.heading, className)}>
      <div className={styles.text}>
        <h1 ref={heading} tabIndex={-1}>
          {children}
        </h1>
        {lead && <p className="muted">{lead}</p>}
      </div>
      {actions && <Inline>{actions}</Inline>}
    </div>
  );
}
