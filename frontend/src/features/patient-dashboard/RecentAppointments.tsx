import { Trans, useLingui } from '@lingui/react/macro';
import { AppointmentBadge } from '@/domain/appointment/AppointmentBadge';
import { AppointmentList } from '@/domain/appointment/AppointmentList';
import { CalendarIllustration } from '@/domain/appointment/CalendarIllustration';
import { cx } from '@/lib/cx';
import { formatDayTime, zoneLabel } from '@/lib/dates';
import { formatMoney } from '@/lib/money';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { specializationLabel } from '@/lib/specializations';
import { LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { Grid } from '@/ui/Grid';
import { Link } from '@/ui/Link';
import { Stack } from '@/ui/Stack';
import { Toolbar } from '@/ui/Toolbar';
import styles from './PatientDashboardPage.module.css';

/** The number of rows. */
export const RECENT_APPOINTMENTS_QUERY = { ordering: '-activity', pageSize: 5 };

/** Appointments with the latest activity (booked, changed or taken place), newest first. */
export function RecentAppointments({ allHref }: { allHref: string }) {
  const { t } = useLingui();
  return (
    <Stack as="section" aria-labelledby="recent">
      <Toolbar rowGap={2} gap={4}>
        <h2 id="recent">{t`Recent appointments`}</h2>
        <LinkButton variant="quiet" href={allHref}>
          <Trans>View All</Trans>
        </LinkButton>
      </Toolbar>
      <AppointmentList
        query={RECENT_APPOINTMENTS_QUERY}
        rowHeight={96}
        empty={
          <EmptyState
            art={<CalendarIllustration />}
            title={t`No appointments yet`}
            action={
              <LinkButton href={paths.findDoctors()}>{t`Book Your First Appointment`}</LinkButton>
            }
          >
            <Trans>Appointments you book will show up here.</Trans>
          </EmptyState>
        }
      >
        {(appointments) => (
          <Card as="ul" flush divided>
            {appointments.map((appointment) => (
              <Grid key={appointment._id} as="li" rowGap={1} className={styles.row}>
                <Link href={paths.patientAppointment(appointment._id)} className="strong">
                  {doctorName(appointment.doctor.name)}
                </Link>
                <span className={styles.badge}>
                  <AppointmentBadge appointment={appointment} reader="patient" />
                </span>
                <div className={styles.facts}>
                  <p className="muted">{specializationLabel(appointment.doctor.specialization)}</p>
                  <p>
                    <time dateTime={appointment.startsAt} className={styles.unbroken}>
                      {formatDayTime(appointment.appointmentDate, appointment.appointmentTime)}
                    </time>{' '}
                    <span className={cx(styles.unbroken, 'muted small')}>
                      {zoneLabel(appointment.timeZone)}
                    </span>
                  </p>
                </div>
                <span className={styles.fee}>
                  {formatMoney(appointment.consultationFee, appointment.currency)}
                </span>
              </Grid>
            ))}
          </Card>
        )}
      </AppointmentList>
    </Stack>
  );
}
