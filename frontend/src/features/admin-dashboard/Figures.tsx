import { useLingui } from '@lingui/react/macro';
import type { Overview } from '@/api/types';
import { formatCount } from '@/lib/counts';
import { addDays, today } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { Card } from '@/ui/Card';
import { Link } from '@/ui/Link';
import { Stack } from '@/ui/Stack';
import styles from './dashboard.module.css';
import { comparisonText } from './texts';

type ComparedFigure = Overview['comparison']['bookings'];

/** Exact figures, each linked to the rows it counts. */
export function Figures({ totals, comparison }: Pick<Overview, 'totals' | 'comparison'>) {
  const { t } = useLingui();
  const yesterday = addDays(today(), -1);
  return (
    <>
      <Card as="section" tight gap={3} aria-labelledby="lately">
        <h2 id="lately">{t`Last 24 hours`}</h2>
        <FigureComparison
          label={t`Bookings`}
          figure={comparison.bookings}
          href={paths.adminAnalytics({ from: yesterday, to: today(), by: 'day' })}
        />
        <FigureComparison
          label={t`New users`}
          figure={comparison.newUsers}
          href={paths.adminUsers()}
        />
      </Card>
      <Card as="section" tight gap={3} aria-labelledby="totals">
        <h2 id="totals">{t`Totals`}</h2>
        <Stack as="ul" gap={0} divided>
          <Total label={t`Users`} value={totals.users} href={paths.adminUsers()} />
          <Total
            label={t`Patients`}
            value={totals.patients}
            href={paths.adminUsers({ role: 'patient' })}
          />
          <Total label={t`Doctors`} value={totals.doctors} href={paths.adminDoctors()} />
          <Total
            label={t`Approved doctors`}
            value={totals.approvedDoctors}
            href={paths.adminDoctors({ status: 'approved' })}
          />
          <Total
            label={t`Pending doctors`}
            value={totals.pendingDoctors}
            href={paths.adminDoctors({ status: 'pending' })}
          />
          {totals.renewals > 0 && (
            <Total
              label={t`Renewals waiting`}
              value={totals.renewals}
              href={paths.adminDoctors()}
            />
          )}
          <Total label={t`Appointments`} value={totals.appointments} href={paths.adminRecords()} />
          <Total
            label={t`Past, not completed`}
            value={totals.unfinished}
            href={paths.adminRecords({ status: 'unfinished' })}
          />
        </Stack>
      </Card>
    </>
  );
}

interface FigureComparisonProps {
  label: string;
  figure: ComparedFigure;
  href: string;
}

function FigureComparison({ label, figure, href }: FigureComparisonProps) {
  return (
    <Stack as="p" gap={0} className={styles.recentFigure}>
      <Link href={href}>
        <strong>{formatCount(figure.last24Hours)}</strong> {label}
      </Link>
      <span className="muted">{comparisonText(figure)}</span>
    </Stack>
  );
}

function Total({ label, value, href }: { label: string; value: number; href: string }) {
  return (
    <li>
      <Link href={href} className={styles.figure}>
        <span>{label}</span> <strong>{formatCount(value)}</strong>
      </Link>
    </li>
  );
}
