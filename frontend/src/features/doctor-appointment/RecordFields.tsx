import { followUpText } from '@/domain/record/record';
import { Button } from '@/ui/Button';
import { Textarea } from '@/ui/Textarea';
import { TextInput } from '@/ui/TextInput';
import type { Form } from '@/ui/useForm';
import styles from './appointment.module.css';
import { Medicines } from './Medicines';
import { MAX_FOLLOW_UP_DAYS, MAX_TEXT_LENGTH, type RecordValues } from './recordFields';

interface Props {
  form: Form<RecordValues>;
  /** The appointment's date, from which the follow-up is counted. */
  date: string;
}

export function RecordFields({ form, date }: Props) {
  const textarea = { optional: 'unmarked', maxLength: MAX_TEXT_LENGTH } as const;
  return (
    <>
      <Textarea {...form.field('diagnosis')} {...textarea} label="Diagnosis" rows={3} />
      <Textarea
        {...form.field('notes')}
        {...textarea}
        label="Notes"
        hint="Visible to the patient."
        rows={5}
      />
      <Medicines form={form} />
      <Textarea
        {...form.field('prescription.notes')}
        {...textarea}
        label="Notes on the prescription"
        rows={2}
      />
      <FollowUpField form={form} date={date} />
    </>
  );
}

/** Common follow-up intervals. */
const FOLLOW_UP_PRESETS = [
  { days: 7, label: '1 week' },
  { days: 14, label: '2 weeks' },
  { days: 28, label: '4 weeks' },
];

function FollowUpField({ form, date }: Props) {
  const days = Number(form.values.followUpDays);
  const isValid = Number.isInteger(days) && days > 0 && days <= MAX_FOLLOW_UP_DAYS;
  return (
    <div>
      <TextInput
        {...form.field('followUpDays')}
        label="Follow-up in days"
        hint={
          isValid
            ? `Come back ${followUpText(days, date)}.`
            : 'Counted from the appointment. Leave empty if none is needed.'
        }
        optional="unmarked"
        inputMode="numeric"
        autoComplete="off"
        maxLength={3}
        short
      />
      <div className={styles.spans}>
        {FOLLOW_UP_PRESETS.map((usual) => (
          <Button
            key={usual.days}
            variant="quiet"
            aria-pressed={days === usual.days}
            onClick={() => form.set('followUpDays', String(usual.days))}
          >
            {usual.label}
          </Button>
        ))}
      </div>
    </div>
  );
}
