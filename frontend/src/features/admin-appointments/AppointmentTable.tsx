import { useLingui } from '@lingui/react/macro';
import { useRef } from 'react';
import type { Appointment } from '@/api/types';
import { StatusSummary } from '@/domain/appointment/StatusSummary';
import { CancelAppointment } from '@/domain/staff/CancelAppointment';
import { formatShortDayTime, zoneLabel } from '@/lib/dates';
import { formatMoney } from '@/lib/money';
import { doctorName } from '@/lib/names';
import { specializationLabel } from '@/lib/specializations';
import { DataTable } from '@/ui/DataTable';
import { Email } from '@/ui/Email';
import styles from './AppointmentTable.module.css';

/** A table of appointments for staff. */
export function AppointmentTable({ appointments }: { appointments: Appointment[] }) {
  const { t } = useLingui();
  return (
    <DataTable
      cards
      caption={t`Appointments`}
      columns={[
        t`When`,
        t`Patient`,
        t`Doctor`,
        t`Status`,
        { label: t`Fee`, isNumeric: true },
        { label: t`Actions`, isVisuallyHidden: true },
      ]}
    >
      <tbody>
        {appointments.map((appointment) => (
          <AppointmentRow key={appointment._id} appointment={appointment} />
        ))}
      </tbody>
    </DataTable>
  );
}

function AppointmentRow({ appointment }: { appointment: Appointment }) {
  const row = useRef<HTMLTableRowElement>(null);
  const { patient, doctor } = appointment;
  return (
    <tr ref={row} tabIndex={-1} data-card="">
      <td className={styles.time}>
        <time dateTime={appointment.startsAt} className="strong">
          {formatShortDayTime(appointment.appointmentDate, appointment.appointmentTime)}
        </time>
        <div className="muted">{zoneLabel(appointment.timeZone)}</div>
      </td>
      <td className={styles.patient}>
        <div className="strong">{patient.name}</div>
        {patient.email && (
          <a href={`mailto:${patient.email}`}>
            <Email address={patient.email} />
          </a>
        )}
      </td>
      <td>
        <div className="strong">{doctorName(doctor.name)}</div>
        <div className="muted">{specializationLabel(doctor.specialization)}</div>
      </td>
      <td className={styles.status}>
        <StatusSummary appointment={appointment} reader="admin" />
      </td>
      <td data-numeric="">{formatMoney(appointment.consultationFee, appointment.currency)}</td>
      <td data-numeric="">
        <CancelAppointment appointment={appointment} row={row} />
      </td>
    </tr>
  );
}
