import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { formatMinute, minuteText, normalizeTime } from '@/domain/schedule/hours';
import { TIME_INPUT } from '@/domain/schedule/timeInput';
import { Grid } from '@/ui/Grid';
import { Select } from '@/ui/Select';
import { TextInput } from '@/ui/TextInput';
import type { Form } from '@/ui/useForm';
import styles from './TimeDialog.module.css';
import type { TimeValues } from './useTimeForm';

const OTHER = 'other';

interface Props {
  form: Form<TimeValues>;
  /** The starts that patients are offered on the day, in minutes. */
  freeStarts: number[];
  today: string;
}

/** The date with the start and end of blocked time, or with the start of an appointment. */
export function TimeFields({ form, freeStarts, today }: Props) {
  const { t } = useLingui();
  const { values } = form;
  // Doctors may type any other start.
  const [isTyping, setIsTyping] = useState(false);
  const isOther = isTyping || !freeStarts.some((start) => formatMinute(start) === values.start);
  const timeField = (name: 'start' | 'end') => {
    const field = form.field(name);
    return { ...TIME_INPUT, ...field, onBlur: () => field.onChange(normalizeTime(field.value)) };
  };
  return (
    <Grid gap={3} align="start" className={styles.times}>
      <TextInput {...form.field('date')} label={t`Date`} type="date" min={today} />
      {values.action === 'block' ? (
        <>
          <TextInput {...timeField('start')} label={t({ message: 'From', context: 'time' })} />
          <TextInput {...timeField('end')} label={t`Until`} />
        </>
      ) : (
        <>
          <Select
            name="free"
            label={t`Time`}
            value={isOther ? OTHER : values.start}
            onChange={(option) => {
              setIsTyping(option === OTHER);
              if (option !== OTHER) form.set('start', option);
            }}
            options={[
              ...freeStarts.map((start) => ({
                value: formatMinute(start),
                label: minuteText(start),
              })),
              {
                value: OTHER,
                label: freeStarts.length > 0 ? t`Another time…` : t`No free times: enter one`,
              },
            ]}
          />
          {isOther && (
            <TextInput {...timeField('start')} label={t({ message: 'Start', context: 'time' })} />
          )}
        </>
      )}
    </Grid>
  );
}
