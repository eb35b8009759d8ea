import { Trans, useLingui } from '@lingui/react/macro';
import { useRef } from 'react';
import type { Appointment } from '@/api/types';
import { AppointmentTime } from '@/domain/appointment/AppointmentTime';
import { AppointmentActions } from '@/domain/appointment/doctor/AppointmentActions';
import { PatientRequests } from '@/domain/appointment/doctor/PatientRequests';
import { StatusSummary } from '@/domain/appointment/StatusSummary';
import { MedicineList } from '@/domain/record/MedicineList';
import { telHref } from '@/lib/contact';
import { cx } from '@/lib/cx';
import { formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { Badge } from '@/ui/Badge';
import { Card } from '@/ui/Card';
import { Email } from '@/ui/Email';
import { FactList } from '@/ui/FactList';
import { Inline } from '@/ui/Inline';
import { ClockIcon, MailIcon, PhoneIcon } from '@/ui/icons';
import { Link } from '@/ui/Link';
import styles from './appointments.module.css';

interface Props {
  appointment: Appointment;
  /** The level of the patient's name among the page's headings. */
  heading?: 'h2' | 'h3';
}

/** One appointment for its doctor: patient, time, reason and actions. */
export function AppointmentCard({ appointment, heading: Heading = 'h3' }: Props) {
  const { t } = useLingui();
  const name = useRef<HTMLHeadingElement>(null);
  const { patient } = appointment;
  const { items } = appointment.prescription;
  const live = appointment.status === 'pending' || appointment.status === 'confirmed';
  // Before the appointment there is no record to be missing.
  const written =
    appointment.status === 'completed' ||
    (appointment.status === 'confirmed' && Date.parse(appointment.startsAt) <= Date.now());
  return (
    <Card as="li" tight gap={3} data-row="">
      <Inline align="baseline" justify="between" wrap={false}>
        <Heading ref={name} tabIndex={-1} className={cx('card-title', styles.name)}>
          <Link href={paths.doctorAppointment(appointment._id)} data-shortcut="open">
            {patient.name}
          </Link>
        </Heading>
        <span className="muted">
          {formatMoney(appointment.consultationFee, appointment.currency)}
        </span>
      </Inline>
      <AppointmentTime appointment={appointment} />
      <StatusSummary appointment={appointment} reader="doctor" />
      {appointment.outsideHours && live && (
        <p>
          <Badge tone="amber" icon={<ClockIcon size={18} />}>
            <Trans>Outside your hours</Trans>
          </Badge>
        </p>
      )}
      <PatientRequests
        appointment={appointment}
        heading={Heading === 'h2' ? 'h3' : 'h4'}
        onDone={() => name.current?.focus()}
      />
      {(patient.phone || patient.email) && (
        <Inline as="ul" rowGap={1} gap={5} align="stretch" className={styles.contact}>
          {patient.phone && (
            <li>
              <PhoneIcon size={18} />
              <a href={telHref(patient.phone)}>{patient.phone}</a>
            </li>
          )}
          {patient.email && (
            <li>
              <MailIcon size={18} />
              <a href={`mailto:${patient.email}`}>
                <Email address={patient.email} />
              </a>
            </li>
          )}
        </Inline>
      )}
      <FactList gap={2} className={styles.facts}>
        <Fact name={t`Symptoms`} text={appointment.symptoms} always />
        <Fact name={t`Patient’s notes`} text={appointment.notes.patient} />
        <Fact name={t`Diagnosis`} text={appointment.diagnosis} always={written} />
        {items.length > 0 && (
          <div>
            <dt>
              <Trans>Medicines</Trans>
            </dt>
            <dd>
              <MedicineList items={items} />
            </dd>
          </div>
        )}
        <Fact
          name={t`Prescription`}
          text={appointment.prescription.notes}
          always={written && items.length === 0}
        />
      </FactList>
      {appointment.bookedBy === 'doctor' && (
        <p className="muted small">
          <Trans>You booked this appointment.</Trans>
        </p>
      )}
      <AppointmentActions appointment={appointment} onDone={() => name.current?.focus()} />
    </Card>
  );
}

/** A field of the appointment; omitted if empty, unless `always` is set. */
function Fact({ name, text, always }: { name: string; text: string; always?: boolean }) {
  if (!text && !always) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd className={text ? undefined : 'muted'}>{text || <Trans>None</Trans>}</dd>
    </div>
  );
}
