import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { lastChangeKey } from '@/api/queries';
import type { Appointment } from '@/api/types';
import { CountBadge } from '@/domain/CountBadge';
import { stableRows } from '@/domain/stableRows';
import { formatCount } from '@/lib/counts';
import { Card } from '@/ui/Card';
import { Inline } from '@/ui/Inline';
import { Stack } from '@/ui/Stack';
import { AppointmentRow } from './AppointmentRow';
import styles from './dashboard.module.css';

/** Upcoming appointments that may not take place. Rows changed on this page stay until it is left. */
export function AtRiskAppointments({
  appointments,
  total,
}: {
  appointments: Appointment[];
  total: number;
}) {
  const client = useQueryClient();
  const knownRows = useRef(new Map<string, Appointment>());
  const rows = stableRows(knownRows.current, appointments, (id) =>
    client.getQueryData<Appointment>(lastChangeKey(id)),
  );
  return (
    <Stack as="section" gap={2} aria-labelledby="stranded">
      <Inline rowGap={0} align="baseline">
        <h2 id="stranded">Appointments that may not take place</h2>
        {total > 0 && <CountBadge>{formatCount(total)}</CountBadge>}
      </Inline>
      {rows.length === 0 ? (
        <p className={styles.empty}>Every upcoming appointment can take place.</p>
      ) : (
        <>
          <p className="muted">
            The doctor is no longer listed, one of the two accounts is deactivated, or the doctor
            kept it outside the working hours. Fix that, or cancel the appointment with a reason
            that both sides can read.
          </p>
          <Card as="ul" flush divided>
            {rows.map((appointment) => (
              <AppointmentRow key={appointment._id} appointment={appointment} />
            ))}
          </Card>
        </>
      )}
      {total > appointments.length && (
        <p className="muted">
          The {appointments.length} soonest of {formatCount(total)} are shown; the others follow as
          these are dealt with.
        </p>
      )}
    </Stack>
  );
}
