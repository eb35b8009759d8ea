import { Trans } from '@lingui/react/macro';
import { useRef } from 'react';
import type { Appointment } from '@/api/types';
import { AppointmentActions } from '@/domain/appointment/doctor/AppointmentActions';
import { StatusSummary } from '@/domain/appointment/StatusSummary';
import { CountBadge } from '@/domain/CountBadge';
import { useStableRows } from '@/domain/doctor/useStableRows';
import { formatDayTime } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { Card } from '@/ui/Card';
import { Inline } from '@/ui/Inline';
import { Link } from '@/ui/Link';
import { Stack } from '@/ui/Stack';
import { Toolbar } from '@/ui/Toolbar';
import styles from './dashboard.module.css';

const isConfirmed = (appointment: Appointment) => appointment.status === 'confirmed';

/** Confirmed appointments that have ended, to be completed or marked as no-shows. */
export function AwaitingCompletion({
  appointments,
  total,
}: {
  appointments: Appointment[];
  total: number;
}) {
  const rows = useStableRows(appointments, isConfirmed) ?? [];
  if (rows.length === 0) return null;
  return (
    <Stack as="section" gap={2} aria-labelledby="unfinished">
      <Inline rowGap={0} align="baseline">
        <h2 id="unfinished">
          <Trans>To complete</Trans>
        </h2>
        {total > 0 && <CountBadge>{total}</CountBadge>}
      </Inline>
      <p className="muted">
        <Trans>These appointments have ended. Add the record, or mark a no-show.</Trans>
      </p>
      <Card as="ul" flush divided>
        {rows.map((appointment) => (
          <Row key={appointment._id} appointment={appointment} />
        ))}
      </Card>
      {total > appointments.length && (
        <Link href={paths.doctorAppointments({ status: 'confirmed', scope: 'past' })}>
          <Trans>View all {total}</Trans>
        </Link>
      )}
    </Stack>
  );
}

function Row({ appointment }: { appointment: Appointment }) {
  const name = useRef<HTMLHeadingElement>(null);
  return (
    <Toolbar as="li" rowGap={2} gap={4} className={styles.incomplete} data-row="">
      <div>
        <h3 ref={name} tabIndex={-1} className="card-title">
          <Link href={paths.doctorAppointment(appointment._id)} data-shortcut="open">
            {appointment.patient.name}
          </Link>
        </h3>
        <time dateTime={appointment.startsAt} className="muted">
          {formatDayTime(appointment.appointmentDate, appointment.appointmentTime)}
        </time>
      </div>
      {isConfirmed(appointment) ? (
        <AppointmentActions
          appointment={appointment}
          instant
          onDone={() => name.current?.focus()}
        />
      ) : (
        <StatusSummary appointment={appointment} reader="doctor" />
      )}
    </Toolbar>
  );
}
