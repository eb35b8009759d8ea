import { Trans } from '@lingui/react/macro';
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
  const shownCount = formatCount(appointments.length);
  const totalCount = formatCount(total);
  return (
    <Stack as="section" gap={2} aria-labelledby="stranded">
      <Inline rowGap={0} align="baseline">
        <h2 id="stranded">
          <Trans>Appointments needing attention</Trans>
        </h2>
        {total > 0 && <CountBadge>{totalCount}</CountBadge>}
      </Inline>
      {rows.length === 0 ? (
        <p className={styles.empty}>
          <Trans>No appointments need attention.</Trans>
        </p>
      ) : (
        <>
          <p className="muted">
            <Trans>
              The doctor is no longer listed, one of the two accounts is deactivated, or the doctor
              kept the appointment outside working hours. Fix this, or cancel the appointment with a
              reason that the patient and the doctor can read.
            </Trans>
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
          <Trans>
            Showing the {shownCount} soonest of {totalCount}. The others appear as you resolve
            these.
          </Trans>
        </p>
      )}
    </Stack>
  );
}
