import type { Appointment } from '@/api/types';
import { addressLine } from '@/lib/contact';
import { formatDate, formatFullDay, inZone, zoneLabel } from '@/lib/dates';
import { doctorName } from '@/lib/names';
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
  const { patient, doctor, hospital, record, timeZone } = appointment;
  const written = record.writtenAt && inZone(record.writtenAt, timeZone);
  return (
    <section className={styles.printed} aria-hidden="true">
      <h2>Appointment record</h2>
      <p>
        <strong>{patient.name}</strong>
        {dateOfBirth && `, born ${formatDate(dateOfBirth)}`}
      </p>
      <p>
        {formatFullDay(appointment.appointmentDate)}, {appointment.appointmentTime} (
        {zoneLabel(timeZone)}), with {doctorName(doctor.name)}, {doctor.specialization}
      </p>
      <p>
        {[hospital.name, addressLine(hospital.address), hospital.phone].filter(Boolean).join(', ')}
      </p>
      {appointment.symptoms && (
        <Stack as="dl" className={styles.fields}>
          <div>
            <dt>Symptoms</dt>
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
      <p className={styles.printedFooter}>
        {written &&
          `Written ${formatFullDay(written.date)}, ${written.time} (${zoneLabel(timeZone)}), version ${record.version}.`}
      </p>
    </section>
  );
}
