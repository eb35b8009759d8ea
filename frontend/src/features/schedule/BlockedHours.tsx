import { useRef } from 'react';
import { FieldError } from '@/domain/schedule/FieldError';
import { normalizeTime } from '@/domain/schedule/hours';
import { REASON_VISIBILITY } from '@/domain/schedule/reasonVisibility';
import { TIME_INPUT } from '@/domain/schedule/timeInput';
import { PlusIcon } from '@/domain/staffIcons';
import { today as todayIn } from '@/lib/dates';
import { Button, IconButton } from '@/ui/Button';
import { fieldId } from '@/ui/Field';
import { FormSection } from '@/ui/FormSection';
import { Grid } from '@/ui/Grid';
import { CloseIcon } from '@/ui/icons';
import { TextInput } from '@/ui/TextInput';
import type { Form } from '@/ui/useForm';
import type { BlockedInterval, Draft } from './draft';
import styles from './schedule.module.css';

/** Parts of single dates that nobody can book. */
export function BlockedHours({ form }: { form: Form<Draft> }) {
  const { blocked, timeZone } = form.values;
  const add = useRef<HTMLButtonElement>(null);
  const today = todayIn(timeZone);
  const set = (blocked: BlockedInterval[]) => form.set('blocked', blocked);
  return (
    <FormSection
      title="Blocked hours"
      hint={`Block part of a day, e.g. for a meeting. ${REASON_VISIBILITY}`}
    >
      {form.errors.blocked && (
        <p id={fieldId('blocked')} tabIndex={-1}>
          <FieldError text={form.errors.blocked} />
        </p>
      )}
      {blocked.map((each, at) => {
        const name = `blocked.${at}`;
        const change = (part: Partial<BlockedInterval>) =>
          set(
            blocked.map((interval, index) => (index === at ? { ...interval, ...part } : interval)),
          );
        const field = (part: keyof BlockedInterval) => ({
          name: `${name}.${part}`,
          value: each[part],
          error: form.errors[`${name}.${part}`],
          onChange: (text: string) => change({ [part]: text }),
        });
        const time = (part: 'start' | 'end') => ({
          ...TIME_INPUT,
          ...field(part),
          onBlur: () => change({ [part]: normalizeTime(each[part]) }),
        });
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other key than their index.
          <Grid key={at} as="fieldset" gap={3} align="end" className={styles.blocked}>
            <legend className="visually-hidden">Blocked hours {at + 1}</legend>
            <TextInput {...field('date')} label="Date" type="date" min={today} />
            <TextInput {...time('start')} label="From" />
            <TextInput {...time('end')} label="Until" />
            <TextInput {...field('reason')} label="Reason" optional maxLength={200} />
            <IconButton
              label={`Remove blocked hours ${at + 1}`}
              onClick={() => {
                set(blocked.filter((_, index) => index !== at));
                add.current?.focus();
              }}
            >
              <CloseIcon size={18} />
            </IconButton>
          </Grid>
        );
      })}
      <div>
        <Button
          ref={add}
          variant="secondary"
          icon={<PlusIcon size={18} />}
          onClick={() => set([...blocked, { date: '', start: '12:00', end: '13:00', reason: '' }])}
        >
          Block hours
        </Button>
      </div>
    </FormSection>
  );
}
