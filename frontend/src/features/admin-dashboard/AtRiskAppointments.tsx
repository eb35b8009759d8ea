import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { lastChangeKey } from '@/api/queries';
import type { Appointment } from '@/api/types';
import { CountBadge } from '@/domain/CountBadge';
import { formatCount } from '@/lib/counts';
import { Card } from '@/ui/Card';
import { Inline } from '@/ui/Inline';
import { Stack } from '@/ui/Stack';
import { AppointmentRow } from './AppointmentRow';
import styles from './dashboard.module.css';

/**
 * The rows that the server names, and those that were dealt with on this page, which stay where they
 * are until it is left, so that nothing slides away under the pointer.
 */
export function stableRows(
  knownRows: Map<string, Appointment>,
  rows: readonly Appointment[],
  getChanged: (id: string) => Appointment | undefined,
): Appointment[] {
  const listedRows = new Map(rows.map((appointment) => [appointment._id, appointment]));
  for (const id of knownRows.keys()) {
    const changedRow = getChanged(id);
    if (listedRows.has(id)) continue;
    if (changedRow) knownRows.set(id, changedRow);
    else knownRows.delete(id);
  }
  for (const [id, appointment] of listedRows) knownRows.set(id, appointment);
  return [...knownRows.values()];
}

/** Live appointments ahead that may not take place. */
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
