import { Grid } from '@/ui/Grid';
import { AppointmentTime, type AppointmentTimeFields } from './AppointmentTime';
import styles from './TimeChange.module.css';

interface Props {
  from: AppointmentTimeFields;
  to: AppointmentTimeFields;
  fromLabel?: string;
  toLabel?: string;
}

/** The current time of an appointment and the proposed one. */
export function TimeChange({ from, to, fromLabel = 'Now', toLabel = 'New time' }: Props) {
  return (
    <Grid as="dl" gap={3} className={styles.times}>
      <div>
        <dt>{fromLabel}</dt>
        <dd>
          <AppointmentTime appointment={from} />
        </dd>
      </div>
      <div data-new="">
        <dt>{toLabel}</dt>
        <dd>
          <AppointmentTime appointment={to} />
        </dd>
      </div>
    </Grid>
  );
}
