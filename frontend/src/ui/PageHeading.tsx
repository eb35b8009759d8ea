import { type ReactNode, useEffect, useRef } from 'react';
import { cx } from '@/lib/cx';
import styles from './PageHeading.module.css';
import { usePageTitle } from './title';

// The address whose heading had focus last; the first page keeps the browser's own focus.
let focusedPath = typeof window === 'undefined' ? '' : window.location.pathname;

interface Props {
  children: ReactNode;
  /** The tab's title; the heading itself when it is plain text. */
  title?: string;
  /** A sentence under the heading. */
  lead?: ReactNode;
  /** Buttons beside the heading. */
  actions?: ReactNode;
  className?: string;
}

/** The page's h1. Names the tab, and takes focus after a navigation so that it is read out. */
export function PageHeading({ children, title, lead, actions, className }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  usePageTitle(title ?? (typeof children === 'string' ? children : 'Wellhour'));

  useEffect(() => {
    const { pathname } = window.location;
    if (pathname === focusedPath) return;
    focusedPath = pathname;
    heading.current?.focus({ preventScroll: true });
  }, []);

  return (
    <div className={cx(styles.heading, className)}>
      <div className={styles.text}>
        <h1 ref={heading} tabIndex={-1}>
          {children}
        </h1>
        {lead && <p className="muted">{lead}</p>}
      </div>
      {actions && <div className="row">{actions}</div>}
    </div>
  );
}
