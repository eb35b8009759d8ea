import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { formatDate, today } from '@/lib/dates';
import styles from './PrintFooter.module.css';

/**
 * On paper only: from where and when it was printed, year included, since lists leave out the current year.
 * It is written when printing starts: pages are also drawn by the build, days earlier.
 */
export function PrintFooter() {
  const [date, setDate] = useState('');
  useEffect(() => {
    const onPrint = () => flushSync(() => setDate(formatDate(today())));
    window.addEventListener('beforeprint', onPrint);
    return () => window.removeEventListener('beforeprint', onPrint);
  }, []);
  return date && <p className={styles.footer}>Printed from Wellhour on {date}</p>;
}
