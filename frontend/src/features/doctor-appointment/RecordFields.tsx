import { Plural, useLingui } from '@lingui/react/macro';
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
  const { t } = useLingui();
  const textarea = { optional: 'unmarked', maxLength: MAX_TEXT_LENGTH } as const;
  return (
    <>
      <Textarea {...form.field('diagnosis')} {...textarea} label={t`Diagnosis`} rows={3} />
      <Textarea
        {...form.field('notes')}
        {...textarea}
        label={t`Notes`}
        hint={t`Visible to the patient.`}
        rows={5}
      />
      <Medicines form={form} />
      <Textarea
        {...form.field('prescription.notes')}
        {...textarea}
        label={t`Notes on the prescription`}
        rows={2}
      />
      <FollowUpField form={form} date={date} />
    </>
  );
}

/** Common follow-up intervals. */
const FOLLOW_UP_WEEKS = [1, 2, 4];

function FollowUpField({ form, date }: Props) {
  const { t } = useLingui();
  const days = Number(form.values.followUpDays);
  const isValid = Number.isInteger(days) && days > 0 && days <= MAX_FOLLOW_UP_DAYS;
  const followUp = isValid && followUpText(days, date);
  return (
    <div>
      <TextInput
        {...form.field('followUpDays')}
        label={t`Follow-up in days`}
        hint={
          followUp
            ? t`Come back ${followUp}.`
            : t`Counted from the appointment. Leave it empty if none is needed.`
        }
        optional="unmarked"
        inputMode="numeric"
        autoComplete="off"
        maxLength={3}
        short
      />
      <div className={styles.spans}>
        {FOLLOW_UP_WEEKS.map((weeks) => (
          <Button
            key={weeks}
            variant="quiet"
            aria-pressed={days === 7 * weeks}
            onClick={() => form.set('followUpDays', String(7 * weeks))}
          >
            <Plural value={weeks} one="# week" other="# weeks" />
          </Button>
        ))}
      </div>
    </div>
  );
}
