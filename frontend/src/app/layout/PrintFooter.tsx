import { Trans } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { formatDate, today } from '@/lib/dates';
import { getSiteSettings } from '@/lib/siteSettings';
import styles from './PrintFooter.module.css';

/**
 * Print only: the site and the date of printing, with the year, which lists omit.
 * Set when printing starts, because pages are prerendered by the build, days earlier.
 */
export function PrintFooter() {
  const [date, setDate] = useState('');
  useEffect(() => {
    const onPrint = () => flushSync(() => setDate(formatDate(today())));
    window.addEventListener('beforeprint', onPrint);
    return () => window.removeEventListener('beforeprint', onPrint);
  }, []);
  const { siteName } = getSiteSettings();
  return (
    date && (
      <p className={styles.footer}>
        <Trans>
          Printed from {siteName} on {date}
        </Trans>
      </p>
    )
  );
}
