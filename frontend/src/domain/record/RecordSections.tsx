import type { ReactNode } from 'react';
import { Stack } from '@/ui/Stack';
import { MedicineList } from './MedicineList';
import { followUpText, type RecordText, recordText } from './record';
import styles from './record.module.css';

interface Props {
  record: RecordText;
  /** The appointment's date, from which the follow-up is counted. */
  appointmentDate: string;
  /** Patients see instructions first; doctors see findings first. */
  reader: 'patient' | 'doctor';
  /** The patient's own symptoms, shown to the patient. */
  patientNotes?: string;
  /** A button next to the next steps. */
  next?: ReactNode;
}

/** An appointment's record, read-only. */
export function RecordSections({ record, appointmentDate, reader, patientNotes, next }: Props) {
  if (reader === 'doctor') return <ForDoctor record={record} appointmentDate={appointmentDate} />;
  const recordTexts = recordText(record);
  return (
    <Stack as="dl" className={styles.fields}>
      {record.followUpDays !== null && (
        <RecordSection name="What to do next">
          Come back {followUpText(record.followUpDays, appointmentDate)}.
          {next && <div className={styles.next}>{next}</div>}
        </RecordSection>
      )}
      <RecordSection name="Prescription">
        <MedicineList items={record.prescription.items} />
        {recordTexts.prescription && <p className={styles.text}>{recordTexts.prescription}</p>}
      </RecordSection>
      <RecordSection name="Diagnosis">{recordTexts.diagnosis}</RecordSection>
      {recordTexts.notes && (
        <RecordSection name="Doctor’s notes">{recordTexts.notes}</RecordSection>
      )}
      {patientNotes?.trim() && <RecordSection name="Your notes">{patientNotes}</RecordSection>}
    </Stack>
  );
}

function ForDoctor({ record, appointmentDate }: Pick<Props, 'record' | 'appointmentDate'>) {
  const { diagnosis, notes, prescription, followUpDays } = record;
  return (
    <Stack as="dl" className={styles.fields} data-desk-parts="">
      <RecordSection name="Diagnosis">{diagnosis.trim()}</RecordSection>
      <RecordSection name="Notes">{notes.trim()}</RecordSection>
      <RecordSection name="Prescription">
        {prescription.items.length > 0 || prescription.notes.trim() ? (
          <>
            <MedicineList items={prescription.items} />
            {prescription.notes.trim() && <p className={styles.text}>{prescription.notes}</p>}
          </>
        ) : null}
      </RecordSection>
      <RecordSection name="Follow-up">
        {followUpDays !== null && capitalizeFirst(followUpText(followUpDays, appointmentDate))}
      </RecordSection>
    </Stack>
  );
}

const capitalizeFirst = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** One section; doctors see empty ones too. */
function RecordSection({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children || <span className="muted">Nothing added</span>}</dd>
    </div>
  );
}
