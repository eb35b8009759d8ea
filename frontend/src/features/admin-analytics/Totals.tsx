import { plural, t } from '@lingui/core/macro';
import type { Analytics } from '@/api/types';
import { type AdminAppointmentsQuery, paths } from '@/lib/paths';
import { Grid } from '@/ui/Grid';
import { Link } from '@/ui/Link';
import styles from './analytics.module.css';
import { countCancelled, formatMinutes, formatNumber, formatShare, percentage } from './figures';
import type { Period } from './period';

interface Total {
  name: string;
  value: string;
  /** A secondary value. */
  beside?: string;
  /** A link to the rows, and its label. */
  rows?: { href: string; label: string };
}

/** Totals of the period, each linked to its appointments. */
export function Totals({ totals, period }: Pick<Analytics, 'totals'> & { period: Period }) {
  return (
    <Grid as="dl" gap={3} className={styles.totals}>
      {list(totals, period).map(({ name, value, beside, rows }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className={styles.value}>{value}</dd>
          {beside && <dd className="muted">{beside}</dd>}
          {rows && (
            <dd>
              <Link href={rows.href}>{rows.label}</Link>
            </dd>
          )}
        </div>
      ))}
    </Grid>
  );
}

function list(totals: Analytics['totals'], { from, to, specialization, city }: Period): Total[] {
  const appointments = totals.completed + totals.noShows;
  const rows = (label: string, query: AdminAppointmentsQuery) => ({
    href: paths.adminRecords({ ...query, specialization, city, from, to }),
    label,
  });
  const missed = percentage(totals.noShows, appointments);
  const missedShare = formatShare(missed);
  const cancelled = countCancelled(totals);
  return [
    {
      name: t`Bookings`,
      value: formatNumber(totals.bookings),
      rows: rows(t`Appointments booked`, { dates: 'booked' }),
    },
    {
      name: t({ message: 'Completed', context: 'appointments' }),
      value: formatNumber(totals.completed),
      rows: rows(t`Completed appointments`, { status: 'completed', attended: 'true' }),
    },
    {
      name: t`No-shows`,
      value: formatNumber(totals.noShows),
      beside: missed === null ? undefined : t`${missedShare} of appointments`,
      rows: rows(t`No-shows`, { status: 'completed', attended: 'false' }),
    },
    {
      name: t({ message: 'Cancelled', context: 'appointments' }),
      value: formatNumber(cancelled),
      beside:
        cancelled === 0
          ? undefined
          : plural(totals.cancelledLate, {
              0: 'None of them with less than 24 hours’ notice',
              one: '# of them with less than 24 hours’ notice',
              other: '# of them with less than 24 hours’ notice',
            }),
      rows: rows(t`Cancelled appointments`, { status: 'cancelled', dates: 'cancelled' }),
    },
    { name: t`Median time to confirm`, value: formatMinutes(totals.medianMinutesToConfirm) },
    {
      name: t`Utilization`,
      value: formatShare(percentage(totals.usedMinutes, totals.offeredMinutes)),
      beside:
        totals.offeredMinutes === null
          ? undefined
          : plural(Math.round(totals.offeredMinutes / 60), {
              one: 'of # hour offered',
              other: 'of # hours offered',
            }),
    },
    { name: t`Searches without a free time`, value: formatNumber(totals.searchesWithoutTime) },
  ];
}
