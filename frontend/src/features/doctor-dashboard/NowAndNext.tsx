import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Appointment } from '@/api/types';
import { addDays, formatDay, formatRelative, formatTime, inZone } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Grid } from '@/ui/Grid';
import { Link } from '@/ui/Link';
import { Stack } from '@/ui/Stack';
import { useNow } from '@/ui/useNow';
import styles from './dashboard.module.css';

const MINUTE_MS = 60_000;

/** Format how far a start is: "in 25 minutes", "tomorrow", "Tuesday, December 8". */
function timeUntil(appointment: Appointment, now: number): string {
  const there = inZone(new Date(now), appointment.timeZone).date;
  if (appointment.appointmentDate === there) {
    return Date.parse(appointment.startsAt) - now < MINUTE_MS
      ? t`starting now`
      : formatRelative(appointment.startsAt, new Date(now));
  }
  if (appointment.appointmentDate === addDays(there, 1)) return t`tomorrow`;
  return formatDay(appointment.appointmentDate);
}

/** The appointment in progress and the one after it. */
export function NowAndNext({ appointments }: { appointments: Appointment[] }) {
  const now = useNow();
  // Skip appointments that have ended since the page loaded.
  const ahead = appointments.filter((appointment) => now < Date.parse(appointment.endsAt));
  const current = ahead.find((appointment) => Date.parse(appointment.startsAt) <= now);
  const next = ahead.find((appointment) => Date.parse(appointment.startsAt) > now);
  const end = current && formatTime(inZone(current.endsAt, current.timeZone).time);
  const start = next && timeUntil(next, now);
  return (
    <Stack as="section" gap={2} aria-labelledby="now">
      <h2 id="now">
        <Trans>Now and next</Trans>
      </h2>
      {!current && !next ? (
        <p className={styles.empty}>
          <Trans>No confirmed appointments ahead. Requests you confirm appear here.</Trans>
        </p>
      ) : (
        <Grid gap={3} className={styles.cards}>
          {current && (
            <AppointmentSummary appointment={current} isCurrent>
              <Trans>
                <strong>Now</strong> until {end}
              </Trans>
            </AppointmentSummary>
          )}
          {next && (
            <AppointmentSummary appointment={next}>
              <Trans>
                <strong>Next</strong> {start}
              </Trans>
            </AppointmentSummary>
          )}
        </Grid>
      )}
    </Stack>
  );
}

interface SummaryProps {
  appointment: Appointment;
  isCurrent?: boolean;
  /** When it ends or begins. */
  children: ReactNode;
}

function AppointmentSummary({ appointment, isCurrent, children }: SummaryProps) {
  const { name } = appointment.patient;
  return (
    <Card
      as="article"
      tight
      gap={2}
      className={styles.appointment}
      data-now={isCurrent ? '' : undefined}
      data-row=""
    >
      <p className={styles.label}>{children}</p>
      <h3 tabIndex={-1} className="card-title">
        <time dateTime={appointment.startsAt}>{formatTime(appointment.appointmentTime)}</time>{' '}
        <Link href={paths.doctorAppointment(appointment._id)} data-shortcut="open">
          {name}
        </Link>
      </h3>
      <p className={appointment.symptoms ? 'clamp' : 'muted'}>
        {appointment.symptoms || <Trans>No reason given</Trans>}
      </p>
      <div className={styles.cardFooter}>
        <LinkButton
          variant={isCurrent ? 'primary' : 'secondary'}
          href={paths.doctorAppointment(appointment._id)}
        >
          <Trans>
            Open appointment<span className="visually-hidden"> with {name}</span>
          </Trans>
        </LinkButton>
      </div>
    </Card>
  );
}
