import { Trans } from '@lingui/react/macro';
import type { Appointment } from '@/api/types';
import { AppointmentTime } from '@/domain/appointment/AppointmentTime';
import { StatusSummary } from '@/domain/appointment/StatusSummary';
import { patientNote } from '@/domain/appointment/statusText';
import { addressLine } from '@/lib/contact';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { specializationLabel } from '@/lib/specializations';
import { Avatar } from '@/ui/Avatar';
import { LinkButton } from '@/ui/Button';
import { Inline } from '@/ui/Inline';
import { Stack } from '@/ui/Stack';
import styles from './PatientDashboardPage.module.css';

/** The next appointment, prominently. */
export function NextAppointment({ appointment }: { appointment: Appointment }) {
  const { doctor, hospital } = appointment;
  const note = patientNote(appointment);
  return (
    <Stack as="section" className={styles.nextAppointment} aria-labelledby="next-visit">
      <h2 id="next-visit" className={styles.nextLabel}>
        <Trans>Your next appointment</Trans>
      </h2>
      <AppointmentTime appointment={appointment} large />
      <Inline gap={4} align="start" wrap={false}>
        <Avatar name={doctor.name} src={doctor.profilePicture} size={56} />
        <div>
          <p className="strong">{doctorName(doctor.name)}</p>
          <p>{specializationLabel(doctor.specialization)}</p>
          <p className="muted small">
            {[hospital.name, addressLine(hospital.address)].filter(Boolean).join(', ')}
          </p>
        </div>
      </Inline>
      <StatusSummary appointment={appointment} reader="patient" />
      {note && <p>{note}</p>}
      <div>
        <LinkButton href={paths.patientAppointment(appointment._id)}>
          <Trans>View appointment</Trans>
        </LinkButton>
      </div>
    </Stack>
  );
}
