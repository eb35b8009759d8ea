import { useLingui } from '@lingui/react/macro';
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
  const { t } = useLingui();
  const { blocked, timeZone } = form.values;
  const visibility = t(REASON_VISIBILITY);
  const add = useRef<HTMLButtonElement>(null);
  const today = todayIn(timeZone);
  const set = (blocked: BlockedInterval[]) => form.set('blocked', blocked);
  return (
    <FormSection
      title={t`Blocked hours`}
      hint={t`Block part of a day, e.g. for a meeting. ${visibility}`}
    >
      {form.errors.blocked && (
        <p id={fieldId('blocked')} tabIndex={-1}>
          <FieldError text={form.errors.blocked} />
        </p>
      )}
      {blocked.map((each, at) => {
        const name = `blocked.${at}`;
        const number = at + 1;
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
            <legend className="visually-hidden">{t`Blocked hours ${number}`}</legend>
            <TextInput {...field('date')} label={t`Date`} type="date" min={today} />
            <TextInput {...time('start')} label={t`From`} />
            <TextInput {...time('end')} label={t`Until`} />
            <TextInput {...field('reason')} label={t`Reason`} optional maxLength={200} />
            <IconButton
              label={t`Remove blocked hours ${number}`}
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
          {t`Block hours`}
        </Button>
      </div>
    </FormSection>
  );
}
