import { t } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { Appointment } from '@/api/types';
import { addressLine } from '@/lib/contact';
import { formatDate, formatFullDay, formatTime, inZone, zoneLabel } from '@/lib/dates';
import { formatFacts } from '@/lib/formatList';
import { doctorName } from '@/lib/names';
import { specializationLabel } from '@/lib/specializations';
import { Stack } from '@/ui/Stack';
import { RecordSections } from './RecordSections';
import { recordContent } from './record';
import styles from './record.module.css';

interface Props {
  appointment: Appointment;
  reader: 'patient' | 'doctor';
  dateOfBirth: string | null;
}

/** The record for print, hidden on screens. Every date has its year. */
export function PrintedRecord({ appointment, reader, dateOfBirth }: Props) {
  const { t } = useLingui();
  const { patient, doctor, hospital, record, timeZone } = appointment;
  const appointmentTime = formatTime(appointment.appointmentTime);
  const { name } = patient;
  const born = dateOfBirth && formatDate(dateOfBirth);
  const day = formatFullDay(appointment.appointmentDate);
  const zone = zoneLabel(timeZone);
  const doctorText = formatFacts([
    doctorName(doctor.name),
    specializationLabel(doctor.specialization),
  ]);
  return (
    <section className={styles.printed} aria-hidden="true">
      <h2>{t`Appointment record`}</h2>
      <p>
        {born ? (
          <Trans>
            <strong>{name}</strong>, born {born}
          </Trans>
        ) : (
          <strong>{name}</strong>
        )}
      </p>
      <p>{t`${day}, ${appointmentTime} (${zone}), with ${doctorText}`}</p>
      <p>{formatFacts([hospital.name, addressLine(hospital.address), hospital.phone])}</p>
      {appointment.symptoms && (
        <Stack as="dl" className={styles.fields}>
          <div>
            <dt>{t`Symptoms`}</dt>
            <dd>{appointment.symptoms}</dd>
          </div>
        </Stack>
      )}
      <RecordSections
        record={recordContent(appointment)}
        appointmentDate={appointment.appointmentDate}
        reader={reader}
        patientNotes={reader === 'patient' ? appointment.notes.patient : undefined}
      />
      <p className={styles.printedFooter}>{writtenText(record, timeZone)}</p>
    </section>
  );
}

function writtenText({ writtenAt, version }: Appointment['record'], timeZone: string): string {
  if (!writtenAt) return '';
  const written = inZone(writtenAt, timeZone);
  const [day, time] = [formatFullDay(written.date), formatTime(written.time)];
  const zone = zoneLabel(timeZone);
  return t`Written ${day}, ${time} (${zone}), version ${version}.`;
}
