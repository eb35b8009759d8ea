import { Trans } from '@lingui/react/macro';
import { useRef } from 'react';
import type { Appointment } from '@/api/types';
import { ProposalPanel } from '@/domain/appointment/ProposalPanel';
import { StatusSummary } from '@/domain/appointment/StatusSummary';
import { CountBadge } from '@/domain/CountBadge';
import { isAwaitingPatient, useStableRows } from '@/domain/doctor/useStableRows';
import { paths } from '@/lib/paths';
import { Card } from '@/ui/Card';
import { Inline } from '@/ui/Inline';
import { Link } from '@/ui/Link';
import { Stack } from '@/ui/Stack';
import styles from './dashboard.module.css';

/** Proposals of the doctor that patients have not answered yet. */
export function AwaitingPatient({
  appointments,
  total,
}: {
  appointments: Appointment[];
  total: number;
}) {
  const rows = useStableRows(appointments, isAwaitingPatient) ?? [];
  if (rows.length === 0) return null;
  return (
    <Stack as="section" gap={3} aria-labelledby="waiting-for-patient">
      <Inline rowGap={0} align="baseline">
        <h2 id="waiting-for-patient">
          <Trans>Waiting for the patient</Trans>
        </h2>
        {total > 0 && <CountBadge>{total}</CountBadge>}
      </Inline>
      <Stack as="ul" gap={3} className={styles.list}>
        {rows.map((appointment) => (
          <Row key={appointment._id} appointment={appointment} />
        ))}
      </Stack>
      {total > appointments.length && (
        <Link href={paths.doctorAppointments({ waitingForPatient: 'true' })}>
          <Trans>View all {total}</Trans>
        </Link>
      )}
    </Stack>
  );
}

function Row({ appointment }: { appointment: Appointment }) {
  const name = useRef<HTMLHeadingElement>(null);
  const { proposal } = appointment;
  return (
    <Card as="li" tight gap={2} data-row="">
      <h3 ref={name} tabIndex={-1} className="card-title">
        <Link href={paths.doctorAppointment(appointment._id)} data-shortcut="open">
          {appointment.patient.name}
        </Link>
      </h3>
      {proposal && isAwaitingPatient(appointment) ? (
        <ProposalPanel
          appointment={appointment}
          proposal={proposal}
          reader="doctor"
          heading="h4"
          onAnswered={() => name.current?.focus()}
        />
      ) : (
        <StatusSummary appointment={appointment} reader="doctor" />
      )}
    </Card>
  );
}
