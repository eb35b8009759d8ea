import { useRef } from 'react';
import type { Appointment } from '@/api/types';
import { CancelVisit } from '@/domain/staff/CancelVisit';
import { VisitStatus } from '@/domain/visit/VisitStatus';
import { formatShortDay, zoneLabel } from '@/lib/dates';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { Link } from '@/ui/Link';
import styles from './dashboard.module.css';

/** One appointment as an admin sees it: who, with the ways to set it right, and when; nothing clinical. */
export function VisitRow({ visit }: { visit: Appointment }) {
  const row = useRef<HTMLLIElement>(null);
  const { patient, doctor } = visit;
  const doctorsName = doctorName(doctor.name);
  return (
    <li ref={row} tabIndex={-1} className={styles.lost}>
      <div>
        <time dateTime={visit.startsAt} className={styles.when}>
          {formatShortDay(visit.appointmentDate)}, {visit.appointmentTime}
        </time>
        <div className="muted">{zoneLabel(visit.timeZone)}</div>
      </div>
      <div className={styles.parties}>
        <p>
          <Link href={paths.adminUsers({ search: patient.email })}>{patient.name}</Link> with{' '}
          <Link href={paths.adminDoctor(doctor._id)}>{doctorsName}</Link>
          <span className="muted">, {doctor.specialization}</span>
        </p>
        <VisitStatus visit={visit} reader="admin" />
      </div>
      <CancelVisit visit={visit} row={row} />
    </li>
  );
}
