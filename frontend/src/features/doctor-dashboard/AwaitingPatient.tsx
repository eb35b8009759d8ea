import { useRef } from 'react';
import type { Appointment } from '@/api/types';
import { ProposalPanel } from '@/domain/appointment/ProposalPanel';
import { StatusSummary } from '@/domain/appointment/StatusSummary';
import { isAwaitingPatient, useStableRows } from '@/domain/doctor/stableRows';
import { paths } from '@/lib/paths';
import { Link } from '@/ui/Link';
import styles from './dashboard.module.css';

/** The other times that the doctor proposed and the patients have not answered yet. */
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
    <section className={styles.queue} aria-labelledby="waiting-for-patient">
      <div className={styles.sectionHead}>
        <h2 id="waiting-for-patient">Waiting for the patient</h2>
        {total > 0 && <span className={styles.count}>{total}</span>}
      </div>
      <ul className={styles.list}>
        {rows.map((appointment) => (
          <Row key={appointment._id} appointment={appointment} />
        ))}
      </ul>
      {total > appointments.length && (
        <Link href={paths.doctorAppointments({ waitingForPatient: 'true' })}>View all {total}</Link>
      )}
    </section>
  );
}

function Row({ appointment }: { appointment: Appointment }) {
  const name = useRef<HTMLHeadingElement>(null);
  const { proposal } = appointment;
  return (
    <li className={styles.request} data-row="">
      <h3 ref={name} tabIndex={-1} className={styles.name}>
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
    </li>
  );
}
