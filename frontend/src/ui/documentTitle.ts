import { t } from '@lingui/core/macro';
import { useEffect } from 'react';
import { getSiteSettings } from '@/lib/siteSettings';

/** The title of a page with an error, without the prefix; null if there is no error. */
let plainTitle: string | null = null;

/** Set the document title. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    const { siteName } = getSiteSettings();
    plainTitle = null;
    document.title = title === siteName ? siteName : `${title} - ${siteName}`;
  }, [title]);
}

/** Add or remove the error prefix of the document title. */
export function markTitleAsError(hasErrors: boolean): void {
  const title = plainTitle ?? document.title;
  plainTitle = hasErrors ? title : null;
  document.title = hasErrors ? t`Error: ${title}` : title;
}
