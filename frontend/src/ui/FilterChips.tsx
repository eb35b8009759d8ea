import { Trans, useLingui } from '@lingui/react/macro';
import styles from './FilterChips.module.css';
import { CloseIcon } from './icons';
import { Link } from './Link';

interface Chip {
  key: string;
  label: string;
  /** The URL without this filter. */
  href: string;
}

/** The active filters, each a link that removes it. */
export function FilterChips({ chips, clearHref }: { chips: Chip[]; clearHref?: string }) {
  const { t } = useLingui();
  if (chips.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label={t`Active filters`}>
      {chips.map(({ key, label, href }) => (
        <li key={key}>
          <Link className={styles.chip} href={href} keepScroll>
            <Trans>
              <span className="visually-hidden">Remove filter: </span>
              {label}
            </Trans>
            <CloseIcon size={18} />
          </Link>
        </li>
      ))}
      {clearHref && chips.length > 1 && (
        <li>
          <Link className={styles.clear} href={clearHref} keepScroll>
            <Trans>Clear all</Trans>
          </Link>
        </li>
      )}
    </ul>
  );
}
