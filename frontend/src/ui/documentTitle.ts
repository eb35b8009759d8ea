import { useEffect } from 'react';

const SITE = 'Wellhour';
const PREFIX = 'Error: ';

/** Set the document title. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title === SITE ? SITE : `${title} - ${SITE}`;
  }, [title]);
}

/** Add or remove the error prefix of the document title. */
export function markTitleAsError(hasErrors: boolean): void {
  const plain = document.title.startsWith(PREFIX)
    ? document.title.slice(PREFIX.length)
    : document.title;
  document.title = hasErrors ? PREFIX + plain : plain;
}
