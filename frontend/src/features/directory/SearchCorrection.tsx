import { Trans } from '@lingui/react/macro';
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
  const { from, to } = correction;
  return (
    <p className={styles.corrected} role="status">
      <Trans>
        Showing results for <strong>{to}</strong>.
      </Trans>{' '}
      <Link href={paths.findDoctors({ ...query, page: undefined, literal: 'true' })}>
        <Trans>Search for “{from}” instead</Trans>
      </Link>
    </p>
  );
}
