import { useRef } from 'react';
import type { Appointment } from '@/api/types';
import { VisitActs } from '@/domain/visit/doctor/VisitActs';
import { VisitStatus } from '@/domain/visit/VisitStatus';
import { formatDayTime } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { Link } from '@/ui/Link';
import styles from './dashboard.module.css';
import { useStanding } from './standing';

const isConfirmed = (visit: Appointment) => visit.status === 'confirmed';

/** Confirmed visits whose time has passed: each still lacks its end. */
export function Unfinished({ visits, total }: { visits: Appointment[]; total: number }) {
  const rows = useStanding(visits, isConfirmed) ?? [];
  if (rows.length === 0) return null;
  return (
    <section className="stack" data-gap="2" aria-labelledby="unfinished">
      <div className={styles.sectionHead}>
        <h2 id="unfinished">Not finished yet</h2>
        {total > 0 && <span className={styles.count}>{total}</span>}
      </div>
      <p className="muted">These visits are over. Write what was found, or say who did not come.</p>
      <ul className={styles.rows}>
        {rows.map((visit) => (
          <Row key={visit._id} visit={visit} />
        ))}
      </ul>
      {total > visits.length && (
        <Link href={paths.doctorAppointments({ status: 'confirmed', scope: 'past' })}>
          All {total} unfinished visits
        </Link>
      )}
    </section>
  );
}

function Row({ visit }: { visit: Appointment }) {
  const name = useRef<HTMLHeadingElement>(null);
  return (
    <li className={styles.open} data-row="">
      <div>
        <h3 ref={name} tabIndex={-1} className={styles.name}>
          <Link href={paths.doctorAppointment(visit._id)} data-shortcut="open">
            {visit.patient.name}
          </Link>
        </h3>
        <time dateTime={visit.startsAt} className="muted">
          {formatDayTime(visit.appointmentDate, visit.appointmentTime)}
        </time>
      </div>
      {isConfirmed(visit) ? (
        <VisitActs visit={visit} onDone={() => name.current?.focus()} />
      ) : (
        <VisitStatus visit={visit} reader="doctor" />
      )}
    </li>
  );
}
