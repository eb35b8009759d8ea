import { Trans, useLingui } from '@lingui/react/macro';
import { Fragment } from 'react';
import type { Appointment, Dashboard } from '@/api/types';
import { StatusBadge } from '@/domain/appointment/StatusBadge';
import { useStableRows } from '@/domain/doctor/useStableRows';
import { formatDay, formatTime, inZone, today as todayIn, zoneLabel } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { Grid } from '@/ui/Grid';
import { Inline } from '@/ui/Inline';
import { Link } from '@/ui/Link';
import { Stack } from '@/ui/Stack';
import { useNow } from '@/ui/useNow';
import styles from './dashboard.module.css';

interface Props {
  appointments: Appointment[];
  totals: Dashboard['totals'];
  zone: string;
}

const isNotCancelled = (appointment: Appointment) => appointment.status !== 'cancelled';
const byTime = (a: Appointment, b: Appointment) => Date.parse(a.startsAt) - Date.parse(b.startsAt);

/** Today's appointments by time, with a line at the current time. */
export function Today({ appointments, totals, zone }: Props) {
  const { t } = useLingui();
  const now = useNow();
  const rows = (useStableRows(appointments, isNotCancelled) ?? []).toSorted(byTime);
  const at = rows.findIndex((appointment) => Date.parse(appointment.endsAt) > now);
  const date = todayIn(zone);
  const day = formatDay(date);
  const zoneName = zoneLabel(zone);
  const { today: count, todayLeft: leftCount } = totals;
  return (
    <Stack as="section" gap={2} aria-labelledby="today">
      <Inline rowGap={0} align="baseline">
        <h2 id="today">
          <Trans>
            Today <span className={styles.date}>{day}</span>
          </Trans>
        </h2>
        <span className="muted">
          {count > 0 && (
            <Trans>
              {count} today, {leftCount} left
            </Trans>
          )}
        </span>
        <Link
          href={paths.doctorAppointments({ view: 'day', date })}
          className={styles.trailingLink}
        >
          <Trans>Day view</Trans>
        </Link>
      </Inline>
      {rows.length === 0 ? (
        <EmptyState title={t`No appointments today`}>
          <Link href={paths.doctorAppointments({ view: 'week', date })}>
            <Trans>See the week</Trans>
          </Link>
        </EmptyState>
      ) : (
        <>
          <Card as="ol" flush divided className={styles.timeline}>
            {rows.map((appointment, index) => (
              <Fragment key={appointment._id}>
                {index === at && <NowLine now={now} zone={zone} />}
                <Row appointment={appointment} isOver={Date.parse(appointment.endsAt) <= now} />
              </Fragment>
            ))}
            {at < 0 && <NowLine now={now} zone={zone} />}
          </Card>
          <p className="muted small">
            <Trans>{zoneName}, the clinic’s time.</Trans>
          </p>
        </>
      )}
    </Stack>
  );
}

function NowLine({ now, zone }: { now: number; zone: string }) {
  return (
    <Inline as="li" gap={2} wrap={false} className={styles.nowLine} aria-hidden="true">
      {formatTime(inZone(new Date(now), zone).time)}
    </Inline>
  );
}

function Row({ appointment, isOver }: { appointment: Appointment; isOver: boolean }) {
  return (
    <Grid
      as="li"
      rowGap={1}
      gap={3}
      align="center"
      className={styles.slot}
      data-status={appointment.status}
      data-over={isOver ? '' : undefined}
      data-row=""
    >
      <time dateTime={appointment.startsAt}>{formatTime(appointment.appointmentTime)}</time>
      <Inline as="span" rowGap={0} align="baseline" className={styles.patient}>
        <Link href={paths.doctorAppointment(appointment._id)} data-shortcut="open">
          {appointment.patient.name}
        </Link>
        {appointment.symptoms && <span className={styles.symptoms}>{appointment.symptoms}</span>}
      </Inline>
      <Inline as="span" rowGap={0} gap={2} justify="end" className={styles.badges}>
        <StatusBadge status={appointment.status} attended={appointment.attended} />
      </Inline>
    </Grid>
  );
}
