import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { RefObject } from 'react';
import type { Appointment, AppointmentPatient } from '@/api/types';
import { genderLabel } from '@/domain/genderLabel';
import { ageOn, formatDate } from '@/lib/dates';
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
  const { t } = useLingui();
  const { name } = appointment.patient;
  const born = patient?.dateOfBirth;
  const birthDate = born && formatDate(born);
  const bloodGroup = patient?.bloodGroup;
  const age = patient?.age ?? (born ? ageOn(born) : null);
  return (
    <Inline wrap={false} className={styles.bar} data-print="no">
      <Avatar name={name} src={patient?.profilePicture} size={44} />
      <div className={styles.barText}>
        <PageHeading title={t`Appointment with ${name}`} ref={heading}>
          {name}
        </PageHeading>
        <Inline as="p" gap={0} align="stretch" className={styles.barFacts}>
          {born ? (
            <span>
              {age === null ? (
                <Trans>
                  Born <strong>{birthDate}</strong>
                </Trans>
              ) : (
                <Trans>
                  Born <strong>{birthDate}</strong>,{' '}
                  <Plural value={age} one="# year old" other="# years old" />
                </Trans>
              )}
            </span>
          ) : (
            <span>
              <Trans>Birth date not given</Trans>
            </span>
          )}
          {patient?.gender && <span>{genderLabel(patient.gender)}</span>}
          {bloodGroup && (
            <span>
              <Trans>Blood group {bloodGroup}</Trans>
            </span>
          )}
        </Inline>
      </div>
    </Inline>
  );
}
