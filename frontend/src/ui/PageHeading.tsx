import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { cx } from '@/lib/cx';
import { usePageTitle } from './documentTitle';
import { Inline } from './Inline';
import styles from './PageHeading.module.css';

// The URL that the browser loaded, where its own focus is kept. Leaving before that page has shown
// its heading counts as navigation too.
const loadedPath = globalThis.location?.pathname;
// The URL of the last heading.
let shownPath: string | null = null;

/** The document title; required unless the heading is plain text. */
type Named = { children: string; title?: string } | { children: ReactNode; title: string };

type Props = Named & {
  /** A sentence under the heading. */
  lead?: ReactNode;
  /** Buttons beside the heading. */
  actions?: ReactNode;
  className?: string;
  /** For pages that focus the heading. */
  ref?: RefObject<HTMLHeadingElement | null>;
};

/**
 * The page's h1. Sets the document title, and receives focus after navigation so that it is
 * announced.
 */
export function PageHeading({ children, title, lead, actions, className, ref }: Props) {
  const ownRef = useRef<HTMLHeadingElement>(null);
  const heading = ref ?? ownRef;
  usePageTitle(title ?? String(children));

  useEffect(() => {
    const { pathname } = window.location;
    const first = shownPath === null;
    const hasNavigated = pathname !== (shownPath ?? loadedPath);
    shownPath = pathname;
    // Within one URL (view and edit, for example) only take focus that was lost.
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
