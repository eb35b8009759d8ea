import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { capitalize } from '@/lib/names';
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
  const { t } = useLingui();
  if (reader === 'doctor') return <ForDoctor record={record} appointmentDate={appointmentDate} />;
  const recordTexts = recordText(record);
  const { followUpDays } = record;
  const followUp = followUpDays !== null && followUpText(followUpDays, appointmentDate);
  return (
    <Stack as="dl" className={styles.fields}>
      {followUp && (
        <RecordSection name={t`What to do next`}>
          {t`Come back ${followUp}.`}
          {next && <div className={styles.next}>{next}</div>}
        </RecordSection>
      )}
      <RecordSection name={t`Prescription`}>
        <MedicineList items={record.prescription.items} />
        {recordTexts.prescription && <p className={styles.text}>{recordTexts.prescription}</p>}
      </RecordSection>
      <RecordSection name={t`Diagnosis`}>{recordTexts.diagnosis}</RecordSection>
      {recordTexts.notes && (
        <RecordSection name={t`Doctor’s notes`}>{recordTexts.notes}</RecordSection>
      )}
      {patientNotes?.trim() && <RecordSection name={t`Your notes`}>{patientNotes}</RecordSection>}
    </Stack>
  );
}

function ForDoctor({ record, appointmentDate }: Pick<Props, 'record' | 'appointmentDate'>) {
  const { t } = useLingui();
  const { diagnosis, notes, prescription, followUpDays } = record;
  return (
    <Stack as="dl" className={styles.fields} data-desk-parts="">
      <RecordSection name={t`Diagnosis`}>{diagnosis.trim()}</RecordSection>
      <RecordSection name={t`Notes`}>{notes.trim()}</RecordSection>
      <RecordSection name={t`Prescription`}>
        {prescription.items.length > 0 || prescription.notes.trim() ? (
          <>
            <MedicineList items={prescription.items} />
            {prescription.notes.trim() && <p className={styles.text}>{prescription.notes}</p>}
          </>
        ) : null}
      </RecordSection>
      <RecordSection name={t`Follow-up`}>
        {followUpDays !== null && capitalize(followUpText(followUpDays, appointmentDate))}
      </RecordSection>
    </Stack>
  );
}

/** One section; doctors see empty ones too. */
function RecordSection({ name, children }: { name: string; children: ReactNode }) {
  const { t } = useLingui();
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children || <span className="muted">{t`Nothing added`}</span>}</dd>
    </div>
  );
}
