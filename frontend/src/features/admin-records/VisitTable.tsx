import { useRef } from 'react';
import type { Appointment } from '@/api/types';
import { CancelVisit } from '@/domain/staff/CancelVisit';
import styles from '@/domain/staff/table.module.css';
import { VisitStatus } from '@/domain/visit/VisitStatus';
import { formatShortDay, zoneLabel } from '@/lib/dates';
import { formatMoney } from '@/lib/money';
import { doctorName } from '@/lib/names';
import { Email } from '@/ui/Email';
import own from './VisitTable.module.css';

/** Visits as staff see them: who, when and how it stands. */
export function VisitTable({ visits }: { visits: Appointment[] }) {
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">Visits</caption>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Patient</th>
          <th scope="col">Doctor</th>
          <th scope="col">Status</th>
          <th scope="col" className={styles.end}>
            Fee
          </th>
          <th scope="col">
            <span className="visually-hidden">Act</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {visits.map((visit) => (
          <VisitRow key={visit._id} visit={visit} />
        ))}
      </tbody>
    </table>
  );
}

function VisitRow({ visit }: { visit: Appointment }) {
  const row = useRef<HTMLTableRowElement>(null);
  const { patient, doctor } = visit;
  return (
    <tr ref={row} tabIndex={-1} data-card="">
      <td className={own.when}>
        <time dateTime={visit.startsAt} className={styles.strong}>
          {formatShortDay(visit.appointmentDate)}, {visit.appointmentTime}
        </time>
        <div className="muted">{zoneLabel(visit.timeZone)}</div>
      </td>
      <td className={own.patient}>
        <div className={styles.strong}>{patient.name}</div>
        {patient.email && (
          <a href={`mailto:${patient.email}`}>
            <Email address={patient.email} />
          </a>
        )}
      </td>
      <td>
        <div className={styles.strong}>{doctorName(doctor.name)}</div>
        <div className="muted">{doctor.specialization}</div>
      </td>
      <td className={own.status}>
        <VisitStatus visit={visit} reader="admin" />
      </td>
      <td className={styles.end}>{formatMoney(visit.consultationFee, visit.currency)}</td>
      <td className={styles.end}>
        <CancelVisit visit={visit} row={row} />
      </td>
    </tr>
  );
}
