import { Trans, useLingui } from '@lingui/react/macro';
import type { Group } from '@/api/types';
import { formatCount } from '@/lib/counts';
import { cx } from '@/lib/cx';
import { Card } from '@/ui/Card';
import { DataTable } from '@/ui/DataTable';
import { Inline } from '@/ui/Inline';
import { Link } from '@/ui/Link';
import styles from './analytics.module.css';

interface Props {
  title: string;
  /** "Specialization" or "City". */
  unit: string;
  groups: Group[];
  /** Translate the name of a group. */
  nameOf?: (name: string) => string;
  /** The figures of one group alone. */
  href: (name: string) => string;
}

/** Outcomes of the period's bookings by group: a table with a bar in each row. */
export function Groups({ title, unit, groups, nameOf = (name) => name, href }: Props) {
  const { t } = useLingui();
  const booked = t({ message: 'Booked', context: 'appointments' });
  const completed = t({ message: 'Completed', context: 'appointments' });
  const cancelled = t({ message: 'Cancelled', context: 'appointments' });
  const noShows = t`No-shows`;
  const maxBookings = Math.max(1, ...groups.map(({ bookings }) => bookings));
  return (
    <Card as="section" tight gap={3} className={styles.card} aria-label={title}>
      <div>
        <h2 className="subheading">{title}</h2>
        <p className="muted">
          <Trans>The outcomes of appointments booked in this period.</Trans>
        </p>
      </div>
      {groups.length === 0 ? (
        <Inline as="p" gap={0} wrap={false} className={styles.empty}>
          <Trans>No bookings.</Trans>
        </Inline>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable.
        <section className={styles.scrollInline} tabIndex={0} aria-label={t`${title}, table`}>
          <DataTable
            caption={title}
            columns={[unit, booked, completed, cancelled, noShows]}
            className={cx(styles.table, styles.groups)}
          >
            <tbody>
              {groups.map((group) => (
                <tr key={group.name}>
                  <th scope="row">
                    {group.name ? (
                      <Link href={href(group.name)} keepScroll>
                        {nameOf(group.name)}
                      </Link>
                    ) : (
                      <span className="muted">
                        <Trans>Not given</Trans>
                      </span>
                    )}
                    <svg
                      className={styles.share}
                      viewBox="0 0 100 6"
                      preserveAspectRatio="none"
                      aria-hidden="true"
                      focusable="false"
                    >
                      <rect width={(group.bookings / maxBookings) * 100} height="6" />
                    </svg>
                  </th>
                  <td data-label={booked}>{formatCount(group.bookings)}</td>
                  <td data-label={completed}>{formatCount(group.completed)}</td>
                  <td data-label={cancelled}>{formatCount(group.cancelled)}</td>
                  <td data-label={noShows}>{formatCount(group.noShows)}</td>
                </tr>
              ))}
            </tbody>
          </DataTable>
        </section>
      )}
    </Card>
  );
}
