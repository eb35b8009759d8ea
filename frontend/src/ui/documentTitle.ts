import { useEffect } from 'react';

const SITE = 'Wellhour';
const PREFIX = 'Error: ';

/** Name the page in the browser's tab. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title === SITE ? SITE : `${title} - ${SITE}`;
  }, [title]);
}

/** Say in the tab that the form was refused, and take it back. */
export function markTitleAsError(hasErrors: boolean): void {
  const plain = document.title.startsWith(PREFIX)
    ? document.title.slice(PREFIX.length)
    : document.title;
  document.title = hasErrors ? PREFIX + plain : plain;
}
