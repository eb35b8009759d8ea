import type { Appointment } from '@/api/types';
import { addDays, formatDay, formatRelative, inZone } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Grid } from '@/ui/Grid';
import { Link } from '@/ui/Link';
import { Stack } from '@/ui/Stack';
import { useNow } from '@/ui/useNow';
import styles from './dashboard.module.css';

/** Format how far a start is: "in 25 minutes", "tomorrow", "Tuesday 8 December". */
function timeUntil(appointment: Appointment, now: number): string {
  const there = inZone(new Date(now), appointment.timeZone).date;
  if (appointment.appointmentDate === there)
    return formatRelative(appointment.startsAt, new Date(now));
  if (appointment.appointmentDate === addDays(there, 1)) return 'tomorrow';
  return formatDay(appointment.appointmentDate);
}

/** The appointment in progress and the one after it. */
export function NowAndNext({ appointments }: { appointments: Appointment[] }) {
  const now = useNow();
  // Skip appointments that have ended since the page loaded.
  const ahead = appointments.filter((appointment) => now < Date.parse(appointment.endsAt));
  const current = ahead.find((appointment) => Date.parse(appointment.startsAt) <= now);
  const next = ahead.find((appointment) => Date.parse(appointment.startsAt) > now);
  return (
    <Stack as="section" gap={2} aria-labelledby="now">
      <h2 id="now">Now and next</h2>
      {!current && !next ? (
        <p className={styles.empty}>
          No confirmed appointments ahead. Requests you confirm appear here.
        </p>
      ) : (
        <Grid gap={3} className={styles.cards}>
          {current && (
            <AppointmentSummary
              appointment={current}
              label="Now"
              start={`until ${endOf(current)}`}
            />
          )}
          {next && (
            <AppointmentSummary appointment={next} label="Next" start={timeUntil(next, now)} />
          )}
        </Grid>
      )}
    </Stack>
  );
}

const endOf = (appointment: Appointment) => inZone(appointment.endsAt, appointment.timeZone).time;

function AppointmentSummary({
  appointment,
  label,
  start,
}: {
  appointment: Appointment;
  label: string;
  start: string;
}) {
  return (
    <Card
      as="article"
      tight
      gap={2}
      className={styles.appointment}
      data-now={label === 'Now' ? '' : undefined}
      data-row=""
    >
      <p className={styles.label}>
        <strong>{label}</strong> {start}
      </p>
      <h3 tabIndex={-1} className="card-title">
        <time dateTime={appointment.startsAt}>{appointment.appointmentTime}</time>{' '}
        <Link href={paths.doctorAppointment(appointment._id)} data-shortcut="open">
          {appointment.patient.name}
        </Link>
      </h3>
      <p className={appointment.symptoms ? 'clamp' : 'muted'}>
        {appointment.symptoms || 'No reason given'}
      </p>
      <div className={styles.cardFooter}>
        <LinkButton
          variant={label === 'Now' ? 'primary' : 'secondary'}
          href={paths.doctorAppointment(appointment._id)}
        >
          Open appointment<span className="visually-hidden"> of {appointment.patient.name}</span>
        </LinkButton>
      </div>
    </Card>
  );
}
