import { Trans } from '@lingui/react/macro';
import { useRef } from 'react';
import type { Appointment } from '@/api/types';
import { AppointmentTime } from '@/domain/appointment/AppointmentTime';
import { appointmentCan } from '@/domain/appointment/allowedActions';
import { StatusSummary } from '@/domain/appointment/StatusSummary';
import { patientNote } from '@/domain/appointment/statusText';
import { formatDayTime } from '@/lib/dates';
import { formatMoney } from '@/lib/money';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { specializationLabel } from '@/lib/specializations';
import { Avatar } from '@/ui/Avatar';
import { LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { FactList } from '@/ui/FactList';
import { Inline } from '@/ui/Inline';
import { Link } from '@/ui/Link';
import styles from './AppointmentCard.module.css';
import { CancelButton } from './CancelButton';

/** One appointment in a patient's list. */
export function AppointmentCard({ appointment }: { appointment: Appointment }) {
  const title = useRef<HTMLAnchorElement>(null);
  const { doctor, hospital } = appointment;
  const note = patientNote(appointment);
  const href = paths.patientAppointment(appointment._id);
  const name = doctorName(doctor.name);
  const when = formatDayTime(appointment.appointmentDate, appointment.appointmentTime);
  return (
    <Card as="li" gap={4}>
      <Inline gap={4} align="start" wrap={false}>
        <Avatar name={doctor.name} src={doctor.profilePicture} size={64} />
        <div>
          <h2 className={styles.name}>
            <Link href={href} ref={title}>
              {name}
            </Link>
          </h2>
          <p>{specializationLabel(doctor.specialization)}</p>
          {hospital.name && <p className="muted small">{hospital.name}</p>}
        </div>
      </Inline>
      <AppointmentTime appointment={appointment} />
      <StatusSummary appointment={appointment} reader="patient" />
      {note && <p className={styles.note}>{note}</p>}
      <FactList gap={3} className={styles.facts}>
        {appointment.symptoms && (
          <div className={styles.symptoms}>
            <dt>
              <Trans>Symptoms</Trans>
            </dt>
            <dd>{appointment.symptoms}</dd>
          </div>
        )}
        <div>
          <dt>
            <Trans>Fee</Trans>
          </dt>
          <dd>{formatMoney(appointment.consultationFee, appointment.currency)}</dd>
        </div>
      </FactList>
      <Inline align="stretch" fillOnPhone data-print="no">
        <LinkButton variant="secondary" href={href}>
          <Trans>
            View appointment
            <span className="visually-hidden">
              {' '}
              with {name}, {when}
            </span>
          </Trans>
        </LinkButton>
        {appointmentCan.patientMove(appointment) && (
          <LinkButton variant="secondary" href={paths.moveAppointment(appointment._id)}>
            <Trans>
              Reschedule
              <span className="visually-hidden">
                {' '}
                the appointment with {name}, {when}
              </span>
            </Trans>
          </LinkButton>
        )}
        {appointmentCan.patientCancel(appointment) && (
          <CancelButton appointment={appointment} onCancelled={() => title.current?.focus()} />
        )}
      </Inline>
    </Card>
  );
}
