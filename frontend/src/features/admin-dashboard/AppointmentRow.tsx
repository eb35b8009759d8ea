import { Trans } from '@lingui/react/macro';
import { useRef } from 'react';
import type { Appointment } from '@/api/types';
import { StatusSummary } from '@/domain/appointment/StatusSummary';
import { CancelAppointment } from '@/domain/staff/CancelAppointment';
import { formatShortDayTime, zoneLabel } from '@/lib/dates';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { specializationLabel } from '@/lib/specializations';
import { Grid } from '@/ui/Grid';
import { Link } from '@/ui/Link';
import { Stack } from '@/ui/Stack';
import styles from './dashboard.module.css';

/** One appointment: patient, doctor, contact links and time, without medical data. */
export function AppointmentRow({ appointment }: { appointment: Appointment }) {
  const row = useRef<HTMLLIElement>(null);
  const { patient, doctor } = appointment;
  const patientName = patient.name;
  const doctorsName = doctorName(doctor.name);
  const specialization = specializationLabel(doctor.specialization);
  return (
    <Grid ref={row} tabIndex={-1} as="li" rowGap={2} align="start" className={styles.atRisk}>
      <div>
        <time dateTime={appointment.startsAt} className="strong">
          {formatShortDayTime(appointment.appointmentDate, appointment.appointmentTime)}
        </time>
        <div className="muted">{zoneLabel(appointment.timeZone)}</div>
      </div>
      <Stack gap={2} className={styles.parties}>
        <p>
          <Trans>
            <Link href={paths.adminUsers({ search: patient.email })}>{patientName}</Link> with{' '}
            <Link href={paths.adminDoctor(doctor._id)}>{doctorsName}</Link>
            <span className="muted">, {specialization}</span>
          </Trans>
        </p>
        <StatusSummary appointment={appointment} reader="admin" />
        {appointment.outsideHours && (
          <p className={styles.outside}>
            <Trans>Outside the doctor’s hours</Trans>
          </p>
        )}
      </Stack>
      <CancelAppointment appointment={appointment} row={row} />
    </Grid>
  );
}
