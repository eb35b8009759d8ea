import { Trans, useLingui } from '@lingui/react/macro';
import { type KeyboardEvent, useRef } from 'react';
import { flushSync } from 'react-dom';
import { PlusIcon } from '@/domain/staffIcons';
import { Button, IconButton } from '@/ui/Button';
import { fieldId } from '@/ui/Field';
import { Grid } from '@/ui/Grid';
import { CloseIcon } from '@/ui/icons';
import { Stack } from '@/ui/Stack';
import { TextInput } from '@/ui/TextInput';
import type { Form } from '@/ui/useForm';
import styles from './appointment.module.css';
import { MAX_MEDICINES, type MedicineRow, newRow, type RecordValues } from './recordFields';

const NAME = 'prescription.items';

/** The medicines, one per row: Enter adds a row, the cross removes one. */
export function Medicines({ form }: { form: Form<RecordValues> }) {
  const { t } = useLingui();
  const rows = form.values[NAME];
  const adding = useRef<HTMLButtonElement>(null);
  const full = rows.length >= MAX_MEDICINES;

  const put = (next: MedicineRow[], focus: number | null) => {
    flushSync(() => form.set(NAME, next));
    const field =
      focus === null ? null : document.getElementById(fieldId(`${NAME}.${focus}.medicine`));
    (field ?? adding.current)?.focus();
  };
  const add = (at: number) => {
    if (!full) put(rows.toSpliced(at, 0, newRow()), at);
  };
  const remove = (at: number) => {
    const left = rows.toSpliced(at, 1);
    put(left, left.length > 0 ? Math.min(at, left.length - 1) : null);
  };
  const change = (at: number, part: Partial<MedicineRow>) =>
    form.set(
      NAME,
      rows.map((row, index) => (index === at ? { ...row, ...part } : row)),
    );
  const onKeyDown = (event: KeyboardEvent, at: number) => {
    const plain = !(event.ctrlKey || event.metaKey || event.altKey || event.shiftKey);
    if (event.key !== 'Enter' || !plain || event.nativeEvent.isComposing) return;
    if (!(event.target instanceof HTMLInputElement)) return;
    // Do not submit the form.
    event.preventDefault();
    add(at + 1);
  };

  return (
    <Stack as="fieldset" gap={3} id={fieldId(NAME)}>
      <legend className={styles.legend}>
        <Trans>Prescription</Trans>
      </legend>
      {rows.length === 0 && (
        <p className="muted">
          <Trans>No medicines yet</Trans>
        </p>
      )}
      {rows.map((row, at) => {
        const field = (part: 'medicine' | 'dose' | 'frequency' | 'days') => ({
          name: `${NAME}.${at}.${part}`,
          value: row[part],
          error: form.errors[`${NAME}.${at}.${part}`],
          onChange: (text: string) => change(at, { [part]: text }),
          autoComplete: 'off',
        });
        const medicine = row.medicine.trim();
        const position = at + 1;
        return (
          <Grid
            key={row.id}
            as="fieldset"
            gap={2}
            align="end"
            className={styles.medicine}
            onKeyDown={(event) => onKeyDown(event, at)}
          >
            <legend className="visually-hidden">{medicine || t`Medicine ${position}`}</legend>
            <TextInput {...field('medicine')} label={t`Medicine`} maxLength={200} />
            <TextInput {...field('dose')} label={t`Dose`} optional="unmarked" maxLength={100} />
            <TextInput
              {...field('frequency')}
              label={t`How often`}
              optional="unmarked"
              maxLength={100}
            />
            <TextInput
              {...field('days')}
              label={t`Days`}
              optional="unmarked"
              inputMode="numeric"
              maxLength={3}
            />
            <IconButton
              label={medicine ? t`Remove ${medicine}` : t`Remove medicine ${position}`}
              onClick={() => remove(at)}
            >
              <CloseIcon size={20} />
            </IconButton>
          </Grid>
        );
      })}
      <div>
        <Button
          ref={adding}
          variant="secondary"
          icon={<PlusIcon size={20} />}
          aria-disabled={full || undefined}
          onClick={() => add(rows.length)}
        >
          {rows.length === 0 ? t`Add a medicine` : t`Add another medicine`}
        </Button>
        {full && (
          <p className="muted small">
            <Trans>A prescription can have up to {MAX_MEDICINES} medicines.</Trans>
          </p>
        )}
      </div>
    </Stack>
  );
}
