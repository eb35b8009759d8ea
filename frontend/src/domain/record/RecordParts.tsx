import type { ReactNode } from 'react';
import { Stack } from '@/ui/Stack';
import { MedicineList } from './MedicineList';
import { followUpWhen, type Recorded, recordText } from './record';
import styles from './record.module.css';

interface Props {
  record: Recorded;
  /** The appointment's day: a follow-up is counted from it. */
  appointmentDate: string;
  /** A patient reads what to do first; a doctor what was found. */
  reader: 'patient' | 'doctor';
  /** What the patient told, for the patient. */
  patientNotes?: string;
  /** Beside what to do next: the button for it. */
  next?: ReactNode;
}

/** What is written about an appointment, to be read. */
export function RecordParts({ record, appointmentDate, reader, patientNotes, next }: Props) {
  if (reader === 'doctor') return <ForDoctor record={record} appointmentDate={appointmentDate} />;
  const words = recordText(record);
  return (
    <Stack as="dl" className={styles.fields}>
      {record.followUpDays !== null && (
        <Part name="What to do next">
          Come back {followUpWhen(record.followUpDays, appointmentDate)}.
          {next && <div className={styles.next}>{next}</div>}
        </Part>
      )}
      <Part name="Prescription">
        <MedicineList items={record.prescription.items} />
        {words.prescription && <p className={styles.text}>{words.prescription}</p>}
      </Part>
      <Part name="Diagnosis">{words.diagnosis}</Part>
      {words.notes && <Part name="Doctor’s notes">{words.notes}</Part>}
      {patientNotes?.trim() && <Part name="Your notes">{patientNotes}</Part>}
    </Stack>
  );
}

function ForDoctor({ record, appointmentDate }: Pick<Props, 'record' | 'appointmentDate'>) {
  const { diagnosis, notes, prescription, followUpDays } = record;
  return (
    <Stack as="dl" className={styles.fields} data-desk-parts="">
      <Part name="Diagnosis">{diagnosis.trim()}</Part>
      <Part name="Notes">{notes.trim()}</Part>
      <Part name="Prescription">
        {prescription.items.length > 0 || prescription.notes.trim() ? (
          <>
            <MedicineList items={prescription.items} />
            {prescription.notes.trim() && <p className={styles.text}>{prescription.notes}</p>}
          </>
        ) : null}
      </Part>
      <Part name="Follow-up">
        {followUpDays !== null && capital(followUpWhen(followUpDays, appointmentDate))}
      </Part>
    </Stack>
  );
}

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** One part; a doctor sees that an empty one is empty. */
function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children || <span className="muted">Nothing added</span>}</dd>
    </div>
  );
}
