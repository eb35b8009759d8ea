import { Trans, useLingui } from '@lingui/react/macro';
import type { Appointment, AppointmentPatient } from '@/api/types';
import { AddToCalendar } from '@/domain/appointment/AddToCalendar';
import { AppointmentTime } from '@/domain/appointment/AppointmentTime';
import { AppointmentActions } from '@/domain/appointment/doctor/AppointmentActions';
import { PatientRequests } from '@/domain/appointment/doctor/PatientRequests';
import { isNoShow } from '@/domain/appointment/StatusBadge';
import { StatusSummary } from '@/domain/appointment/StatusSummary';
import { isUpcoming } from '@/domain/appointment/statusText';
import { telHref } from '@/lib/contact';
import { formatMoney } from '@/lib/money';
import { Badge } from '@/ui/Badge';
import { Card } from '@/ui/Card';
import { ClockIcon, MailIcon, PhoneIcon } from '@/ui/icons';
import { MoneyIcon } from '@/ui/pageIcons';
import { Stack } from '@/ui/Stack';
import styles from './appointment.module.css';

interface Props {
  appointment: Appointment;
  patient: AppointmentPatient | null;
  /** The buttons disappear after the action, so move the focus. */
  onDone: () => void;
}

/** The appointment: time, status, reason and actions. */
export function BookingDetails({ appointment, patient, onDone }: Props) {
  const { t } = useLingui();
  const { phone, email } = patient ?? appointment.patient;
  const live = appointment.status === 'pending' || appointment.status === 'confirmed';
  return (
    <>
      <Card as="section" tight gap={3} className={styles.card} aria-label={t`Appointment`}>
        <AppointmentTime appointment={appointment} />
        <StatusSummary appointment={appointment} reader="doctor" />
        {appointment.outsideHours && live && (
          <p>
            <Badge tone="amber" icon={<ClockIcon size={18} />}>
              <Trans>Outside your hours</Trans>
            </Badge>
          </p>
        )}
        <PatientRequests appointment={appointment} heading="h3" onDone={onDone} />
        <Stack as="ul" gap={1} className={styles.contact}>
          <li>
            <MoneyIcon size={18} />
            {formatMoney(appointment.consultationFee, appointment.currency)}
            {isNoShow(appointment) && (
              <span className="muted">
                <Trans>not counted: no-show</Trans>
              </span>
            )}
          </li>
          {phone && (
            <li>
              <PhoneIcon size={18} />
              <a href={telHref(phone)}>{phone}</a>
            </li>
          )}
          {email && (
            <li>
              <MailIcon size={18} />
              <a href={`mailto:${email}`}>{email}</a>
            </li>
          )}
        </Stack>
        {appointment.bookedBy === 'doctor' && (
          <p className="muted small">
            <Trans>You booked this appointment.</Trans>
          </p>
        )}
        <AppointmentActions appointment={appointment} hideComplete onDone={onDone} />
        {isUpcoming(appointment) && (
          <div>
            <AddToCalendar id={appointment._id} />
          </div>
        )}
      </Card>
      <Card as="section" tight gap={3} className={styles.card} aria-labelledby="reason">
        <h2 id="reason">
          <Trans>Reason</Trans>
        </h2>
        <Stack as="dl" gap={3} className={styles.facts}>
          <div>
            <dt>
              <Trans>Symptoms</Trans>
            </dt>
            <dd>{appointment.symptoms || <NotGiven />}</dd>
          </div>
          <div>
            <dt>
              <Trans>Patient’s notes</Trans>
            </dt>
            <dd>{appointment.notes.patient || <NotGiven />}</dd>
          </div>
        </Stack>
      </Card>
    </>
  );
}

function NotGiven() {
  return (
    <span className="muted">
      <Trans>None</Trans>
    </span>
  );
}
