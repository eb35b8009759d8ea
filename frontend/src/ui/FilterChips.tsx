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
  if (chips.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label="Filters in use">
      {chips.map((chip) => (
        <li key={chip.key}>
          <Link className={styles.chip} href={chip.href} keepScroll>
            <span className="visually-hidden">Remove filter: </span>
            {chip.label}
            <CloseIcon size={18} />
          </Link>
        </li>
      ))}
      {clearHref && chips.length > 1 && (
        <li>
          <Link className={styles.clear} href={clearHref} keepScroll>
            Clear all
          </Link>
        </li>
      )}
    </ul>
  );
}
