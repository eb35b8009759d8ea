import { useEffect } from 'react';
import { getSiteSettings } from '@/lib/siteSettings';

const PREFIX = 'Error: ';

/** Set the document title. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    const { siteName } = getSiteSettings();
    document.title = title === siteName ? siteName : `${title} - ${siteName}`;
  }, [title]);
}

/** Add or remove the error prefix of the document title. */
export function markTitleAsError(hasErrors: boolean): void {
  const plain = document.title.startsWith(PREFIX)
    ? document.title.slice(PREFIX.length)
    : document.title;
  document.title = hasErrors ? PREFIX + plain : plain;
}
