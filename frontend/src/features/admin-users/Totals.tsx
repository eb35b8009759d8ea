import { formatCount } from '@/lib/counts';
import { Grid } from '@/ui/Grid';
import { Link } from '@/ui/Link';
import styles from './users.module.css';

interface Figure {
  key: string;
  label: string;
  value: number | undefined;
  /** A link to the rows. */
  href: string;
  current?: boolean;
}

/** Exact totals, each linked to the rows it counts; the current one is marked. */
export function Totals({ label, figures }: { label: string; figures: Figure[] }) {
  return (
    <Grid aria-label={label} as="nav" gap={0} className={styles.totals}>
      {figures.map(({ key, label: name, value, href, current }) => (
        <Link
          key={key}
          href={href}
          keepScroll
          className={styles.total}
          aria-current={current ? 'page' : undefined}
        >
          <span>{name}</span> <strong>{value === undefined ? '–' : formatCount(value)}</strong>
        </Link>
      ))}
    </Grid>
  );
}
