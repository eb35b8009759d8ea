import { useRef } from 'react';
import type { Appointment } from '@/api/types';
import { StatusSummary } from '@/domain/appointment/StatusSummary';
import { CancelAppointment } from '@/domain/staff/CancelAppointment';
import styles from '@/domain/staff/table.module.css';
import { formatShortDay, zoneLabel } from '@/lib/dates';
import { formatMoney } from '@/lib/money';
import { doctorName } from '@/lib/names';
import { Email } from '@/ui/Email';
import own from './AppointmentTable.module.css';

/** Appointments as staff see them: who, when and how it stands. */
export function AppointmentTable({ appointments }: { appointments: Appointment[] }) {
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">Appointments</caption>
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
        {appointments.map((appointment) => (
          <AppointmentRow key={appointment._id} appointment={appointment} />
        ))}
      </tbody>
    </table>
  );
}

function AppointmentRow({ appointment }: { appointment: Appointment }) {
  const row = useRef<HTMLTableRowElement>(null);
  const { patient, doctor } = appointment;
  return (
    <tr ref={row} tabIndex={-1} data-card="">
      <td className={own.time}>
        <time dateTime={appointment.startsAt} className="strong">
          {formatShortDay(appointment.appointmentDate)}, {appointment.appointmentTime}
        </time>
        <div className="muted">{zoneLabel(appointment.timeZone)}</div>
      </td>
      <td className={own.patient}>
        <div className="strong">{patient.name}</div>
        {patient.email && (
          <a href={`mailto:${patient.email}`}>
            <Email address={patient.email} />
          </a>
        )}
      </td>
      <td>
        <div className="strong">{doctorName(doctor.name)}</div>
        <div className="muted">{doctor.specialization}</div>
      </td>
      <td className={own.status}>
        <StatusSummary appointment={appointment} reader="admin" />
      </td>
      <td className={styles.end}>
        {formatMoney(appointment.consultationFee, appointment.currency)}
      </td>
      <td className={styles.end}>
        <CancelAppointment appointment={appointment} row={row} />
      </td>
    </tr>
  );
}
