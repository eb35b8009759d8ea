import { Trans, useLingui } from '@lingui/react/macro';
import type { Appointment } from '@/api/types';
import { StatusBadge } from '@/domain/appointment/StatusBadge';
import { formatDayTime } from '@/lib/dates';
import { formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { Grid } from '@/ui/Grid';
import { Inline } from '@/ui/Inline';
import { Link } from '@/ui/Link';
import { Stack } from '@/ui/Stack';
import styles from './dashboard.module.css';

/** The five appointments with the latest activity: booked, changed or taken place. */
export function RecentActivity({ appointments }: { appointments: Appointment[] }) {
  const { t } = useLingui();
  return (
    <Stack as="section" gap={2} aria-labelledby="recent">
      <Inline rowGap={0} align="baseline">
        <h2 id="recent">
          <Trans>Recent appointments</Trans>
        </h2>
        <Link href={paths.doctorAppointments()} className={styles.trailingLink}>
          <Trans>View all</Trans>
        </Link>
      </Inline>
      {appointments.length === 0 ? (
        <EmptyState title={t`No appointments yet`}>
          <Trans>Appointments appear here once patients book them.</Trans>
        </EmptyState>
      ) : (
        <Card as="ul" flush divided>
          {appointments.map((appointment) => (
            <Grid
              key={appointment._id}
              as="li"
              rowGap={1}
              align="center"
              className={styles.activity}
              data-row=""
            >
              <Link href={paths.doctorAppointment(appointment._id)} data-shortcut="open">
                {appointment.patient.name}
              </Link>
              <time dateTime={appointment.startsAt}>
                {formatDayTime(appointment.appointmentDate, appointment.appointmentTime)}
              </time>
              <span>
                <StatusBadge status={appointment.status} attended={appointment.attended} />
              </span>
              <span className={styles.fee}>
                {formatMoney(appointment.consultationFee, appointment.currency)}
              </span>
            </Grid>
          ))}
        </Card>
      )}
    </Stack>
  );
}
