import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { configQuery } from '@/api/queries';
import type { Dashboard } from '@/api/types';
import { formatCount } from '@/lib/counts';
import { formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { Grid } from '@/ui/Grid';
import { Link } from '@/ui/Link';
import styles from './dashboard.module.css';

/** The specification's four figures, each linked to the rows it counts. */
export function Figures({ totals }: { totals: Dashboard['totals'] }) {
  const { t } = useLingui();
  const { data: config } = useQuery(configQuery);
  const noEarnings = config ? [{ amount: 0, currency: config.currency }] : [];
  const earnings = totals.earnings.length > 0 ? totals.earnings : noEarnings;
  const earned = earnings.map(({ amount, currency }) => formatMoney(amount, currency));
  return (
    <Grid aria-label={t`Figures`} as="section" gap={3} className={styles.figures}>
      <Figure
        label={t`Total appointments`}
        href={paths.doctorAppointments()}
        value={formatCount(totals.appointments)}
      />
      <Figure
        label={t`Today’s appointments`}
        href={paths.doctorAppointments({ view: 'day' })}
        value={formatCount(totals.today)}
      />
      <Figure
        label={t`Total patients`}
        href={paths.doctorPatients()}
        value={formatCount(totals.patients)}
      />
      <Figure
        label={t`Total earnings`}
        href={paths.doctorAppointments({ status: 'completed', attended: 'true' })}
        value={earned.join(' + ')}
        caption={t`Completed, without no-shows`}
      />
    </Grid>
  );
}

interface FigureProps {
  label: string;
  href: string;
  value: string;
  caption?: string;
}

function Figure({ label, href, value, caption }: FigureProps) {
  return (
    <Link href={href} className={styles.figure}>
      <span className={styles.figureLabel}>{label}</span>{' '}
      <strong className={styles.value}>{value}</strong>
      {caption && <span className={styles.caption}> {caption}</span>}
    </Link>
  );
}
