import { Trans, useLingui } from '@lingui/react/macro';
import { LinkButton } from './Button';
import { ChevronLeftIcon } from './icons';
import styles from './Pagination.module.css';

interface Props {
  page: number;
  hasNext: boolean;
  /** The address of a page. */
  href: (page: number) => string;
  label?: string;
}

/** Links to the previous and next page; the URL contains the page. */
export function Pagination({ page, hasNext, href, label }: Props) {
  const { t } = useLingui();
  if (page <= 1 && !hasNext) return null;
  return (
    <nav className={styles.pages} aria-label={label ?? t`Pages`}>
      {page > 1 && (
        <LinkButton variant="secondary" href={href(page - 1)} icon={<ChevronLeftIcon size={20} />}>
          <Trans>Previous</Trans>
        </LinkButton>
      )}
      <span className="muted">
        <Trans>Page {page}</Trans>
      </span>
      {hasNext && (
        <LinkButton variant="secondary" href={href(page + 1)}>
          <Trans>Next</Trans>
        </LinkButton>
      )}
    </nav>
  );
}
