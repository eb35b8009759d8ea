import type { RefObject } from 'react';
import type { Appointment, AppointmentPatient } from '@/api/types';
import { ageOn, formatDate } from '@/lib/dates';
import { capitalize } from '@/lib/names';
import { Avatar } from '@/ui/Avatar';
import { Inline } from '@/ui/Inline';
import { PageHeading } from '@/ui/PageHeading';
import styles from './appointment.module.css';

interface Props {
  appointment: Appointment;
  patient: AppointmentPatient | null;
  /** The focus target when the focused element disappears. */
  heading: RefObject<HTMLHeadingElement | null>;
}

/** The patient, always in view: name and birth date prevent mix-ups. */
export function PatientBar({ appointment, patient, heading }: Props) {
  const { name } = appointment.patient;
  const born = patient?.dateOfBirth;
  const age = patient?.age ?? (born ? ageOn(born) : null);
  return (
    <Inline wrap={false} className={styles.bar} data-print="no">
      <Avatar name={name} src={patient?.profilePicture} size={44} />
      <div className={styles.barText}>
        <PageHeading title={`Appointment of ${name}`} ref={heading}>
          {name}
        </PageHeading>
        <Inline as="p" gap={0} align="stretch" className={styles.barFacts}>
          {born ? (
            <span>
              Born <strong>{formatDate(born)}</strong>
              {age !== null && `, ${age} ${age === 1 ? 'year' : 'years'}`}
            </span>
          ) : (
            <span>Birth date not given</span>
          )}
          {patient?.gender && <span>{capitalize(patient.gender)}</span>}
          {patient?.bloodGroup && <span>Blood group {patient.bloodGroup}</span>}
        </Inline>
      </div>
    </Inline>
  );
}
