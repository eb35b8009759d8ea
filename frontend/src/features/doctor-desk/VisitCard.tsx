import { useRef } from 'react';
import type { Appointment } from '@/api/types';
import { MedicineList } from '@/domain/record/MedicineList';
import { PatientAsks } from '@/domain/visit/doctor/PatientAsks';
import { VisitActs } from '@/domain/visit/doctor/VisitActs';
import { VisitStatus } from '@/domain/visit/VisitStatus';
import { VisitWhen } from '@/domain/visit/VisitWhen';
import { telHref } from '@/lib/contact';
import { formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { Badge } from '@/ui/Badge';
import { Card } from '@/ui/Card';
import { Email } from '@/ui/Email';
import { ClockIcon, MailIcon, PhoneIcon } from '@/ui/icons';
import { Link } from '@/ui/Link';
import styles from './desk.module.css';

interface Props {
  visit: Appointment;
  /** The level of the patient's name among the page's headings. */
  heading?: 'h2' | 'h3';
}

/** One visit on the doctor's desk: who, when, why, and what to do about it. */
export function VisitCard({ visit, heading: Heading = 'h3' }: Props) {
  const name = useRef<HTMLHeadingElement>(null);
  const { patient } = visit;
  const { items } = visit.prescription;
  const live = visit.status === 'pending' || visit.status === 'confirmed';
  // Before a visit nothing is missing yet.
  const written =
    visit.status === 'completed' ||
    (visit.status === 'confirmed' && Date.parse(visit.startsAt) <= Date.now());
  return (
    <Card as="li" tight className={styles.card} data-row="">
      <div className={styles.head}>
        <Heading ref={name} tabIndex={-1} className={styles.name}>
          <Link href={paths.doctorAppointment(visit._id)} data-shortcut="open">
            {patient.name}
          </Link>
        </Heading>
        <span className={styles.fee}>{formatMoney(visit.consultationFee, visit.currency)}</span>
      </div>
      <VisitWhen visit={visit} />
      <VisitStatus visit={visit} reader="doctor" />
      {visit.outsideHours && live && (
        <p>
          <Badge tone="amber" icon={<ClockIcon size={18} />}>
            Outside your hours
          </Badge>
        </p>
      )}
      <PatientAsks
        visit={visit}
        heading={Heading === 'h2' ? 'h3' : 'h4'}
        onDone={() => name.current?.focus()}
      />
      {(patient.phone || patient.email) && (
        <ul className={styles.contact}>
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
        </ul>
      )}
      <dl className={styles.facts}>
        <Fact name="Symptoms" text={visit.symptoms} always />
        <Fact name="Patient’s notes" text={visit.notes.patient} />
        <Fact name="Diagnosis" text={visit.diagnosis} always={written} />
        {items.length > 0 && (
          <div>
            <dt>Medicines</dt>
            <dd>
              <MedicineList items={items} />
            </dd>
          </div>
        )}
        <Fact
          name="Prescription"
          text={visit.prescription.notes}
          always={written && items.length === 0}
        />
      </dl>
      {visit.bookedBy === 'doctor' && <p className="muted small">Booked by you.</p>}
      <VisitActs visit={visit} onDone={() => name.current?.focus()} />
    </Card>
  );
}

/** A part of the visit; an empty one is left out unless it is asked for. */
function Fact({ name, text, always }: { name: string; text: string; always?: boolean }) {
  if (!text && !always) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd className={text ? undefined : 'muted'}>{text || 'Nothing added'}</dd>
    </div>
  );
}
