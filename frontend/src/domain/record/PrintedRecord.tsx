import type { Appointment } from '@/api/types';
import { addressLine } from '@/lib/contact';
import { formatDate, formatDayTime, formatInstant, today } from '@/lib/dates';
import { doctorName } from '@/lib/names';
import { RecordParts } from './RecordParts';
import { recordedOf } from './record';
import styles from './record.module.css';

interface Props {
  visit: Appointment;
  reader: 'patient' | 'doctor';
  dateOfBirth: string | null;
}

/** The record as it comes out of a printer, and only there: for whom, by whom, about when. */
export function PrintedRecord({ visit, reader, dateOfBirth }: Props) {
  const { patient, doctor, hospital, record } = visit;
  return (
    <section className={styles.printed} aria-hidden="true">
      <h2>Record of a visit</h2>
      <p>
        <strong>{patient.name}</strong>
        {dateOfBirth && `, born ${formatDate(dateOfBirth)}`}
      </p>
      <p>
        {formatDayTime(visit.appointmentDate, visit.appointmentTime)}, with{' '}
        {doctorName(doctor.name)}, {doctor.specialization}
      </p>
      <p>
        {[hospital.name, addressLine(hospital.address), hospital.phone].filter(Boolean).join(', ')}
      </p>
      {visit.symptoms && (
        <dl className={styles.parts}>
          <div>
            <dt>Symptoms</dt>
            <dd>{visit.symptoms}</dd>
          </div>
        </dl>
      )}
      <RecordParts
        record={recordedOf(visit)}
        visitDate={visit.appointmentDate}
        reader={reader}
        patientNotes={reader === 'patient' ? visit.notes.patient : undefined}
      />
      <p className={styles.printedFoot}>
        {record.writtenAt &&
          `Written ${formatInstant(record.writtenAt, visit.timeZone)}, version ${record.version}. `}
        Printed on {formatDate(today())} from Wellhour.
      </p>
    </section>
  );
}
