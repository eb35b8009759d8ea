import type { Correction } from '@/api/types';
import { type DirectoryQuery, paths } from '@/lib/paths';
import { Link } from '@/ui/Link';
import styles from './FindDoctorsPage.module.css';

interface Props {
  correction: Correction;
  query: DirectoryQuery;
}

/** Shows the corrected search text, with a link to search for the original. */
export function SearchCorrection({ correction, query }: Props) {
  return (
    <p className={styles.corrected} role="status">
      Showing results for <strong>{correction.to}</strong>.{' '}
      <Link href={paths.findDoctors({ ...query, page: undefined, literal: 'true' })}>
        Search for “{correction.from}” instead
      </Link>
    </p>
  );
}
