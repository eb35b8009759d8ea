import type { RefObject } from 'react';
import type { Appointment, VisitPatient } from '@/api/types';
import { ageOn, formatDate } from '@/lib/dates';
import { capitalize } from '@/lib/names';
import { Face } from '@/ui/Face';
import { PageHeading } from '@/ui/PageHeading';
import styles from './visit.module.css';

interface Props {
  visit: Appointment;
  patient: VisitPatient | null;
  /** Where focus goes when what had it is gone. */
  heading: RefObject<HTMLHeadingElement | null>;
}

/** Whom one writes about, always in view: name and birth date tell two patients apart. */
export function PatientBar({ visit, patient, heading }: Props) {
  const { name } = visit.patient;
  const born = patient?.dateOfBirth;
  const age = patient?.age ?? (born ? ageOn(born) : null);
  return (
    <div className={styles.bar} data-print="no">
      <Face name={name} src={patient?.profilePicture} size={44} />
      <div className={styles.barText}>
        <PageHeading title={`Visit of ${name}`} ref={heading}>
          {name}
        </PageHeading>
        <p className={styles.barFacts}>
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
        </p>
      </div>
    </div>
  );
}
