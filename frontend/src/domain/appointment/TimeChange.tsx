import { useLingui } from '@lingui/react/macro';
import { Grid } from '@/ui/Grid';
import { AppointmentTime, type AppointmentTimeFields } from './AppointmentTime';
import styles from './TimeChange.module.css';

interface Props {
  from: AppointmentTimeFields;
  to: AppointmentTimeFields;
  toLabel?: string;
}

/** The current time of an appointment and the proposed one. */
export function TimeChange({ from, to, toLabel }: Props) {
  const { t } = useLingui();
  return (
    <Grid as="dl" gap={3} className={styles.times}>
      <div>
        <dt>{t`Current time`}</dt>
        <dd>
          <AppointmentTime appointment={from} />
        </dd>
      </div>
      <div data-new="">
        <dt>{toLabel ?? t`New time`}</dt>
        <dd>
          <AppointmentTime appointment={to} />
        </dd>
      </div>
    </Grid>
  );
}
