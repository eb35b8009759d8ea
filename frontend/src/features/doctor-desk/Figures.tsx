import type { Dashboard } from '@/api/types';
import { formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { Link } from '@/ui/Link';
import styles from './dashboard.module.css';

const number = new Intl.NumberFormat('en-GB');

/** The four figures of the specification, each a way to the rows it counts. */
export function Figures({ totals }: { totals: Dashboard['totals'] }) {
  const earned = totals.earnings.map(({ amount, currency }) => formatMoney(amount, currency));
  return (
    <section aria-label="Figures" className={styles.figures}>
      <Figure
        label="Total appointments"
        href={paths.doctorAppointments()}
        value={number.format(totals.appointments)}
      />
      <Figure
        label="Today’s appointments"
        href={paths.doctorAppointments({ view: 'day' })}
        value={number.format(totals.today)}
      />
      <Figure
        label="Total patients"
        href={paths.doctorPatients()}
        value={number.format(totals.patients)}
      />
      <Figure
        label="Total earnings"
        href={paths.doctorAppointments({ status: 'completed', attended: 'true' })}
        value={earned.join(' + ') || '0'}
      />
    </section>
  );
}

interface FigureProps {
  label: string;
  href: string;
  value: string;
}

function Figure({ label, href, value }: FigureProps) {
  return (
    <Link href={href} className={styles.figure}>
      <span className={styles.figureLabel}>{label}</span>{' '}
      <strong className={styles.value}>{value}</strong>
    </Link>
  );
}
