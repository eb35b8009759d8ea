import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { cx } from '@/lib/cx';
import { isDate } from '@/lib/dates';
import { DATE_PARTS, type DatePart, invalidDatePart, splitDate } from '@/lib/validate';
import { FieldGroup, type FieldProps, fieldId } from './Field';
import styles from './Field.module.css';

interface Props extends FieldProps {
  /** `YYYY-MM-DD`; while incomplete, the typed parts in the same format; empty if all are. */
  value: string;
  onChange: (value: string) => void;
  /** Enables autofill with `bday-day`, `bday-month` and `bday-year`. */
  birthday?: boolean;
}

type Parts = Record<DatePart, string>;
const LABELS: Record<DatePart, MessageDescriptor> = {
  day: msg({ message: 'Day', context: 'part of a date' }),
  month: msg({ message: 'Month', context: 'part of a date' }),
  year: msg({ message: 'Year', context: 'part of a date' }),
};

function split(value: string): Parts {
  const { day, month, year } = splitDate(value);
  const withoutZero = (text: string) => text.replace(/^0(?=\d)/, '');
  return { day: withoutZero(day), month: withoutZero(month), year };
}

function join({ day, month, year }: Parts): string {
  if (!day && !month && !year) return '';
  const padded = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDate(padded) ? padded : `${year}-${month}-${day}`;
}

/** A known date in three inputs: faster and safer than a calendar. */
export function DateField({ value, onChange, birthday, ...field }: Props) {
  const { t } = useLingui();
  const [parts, setParts] = useState(() => split(value));
  // A value from outside (loaded, reset) replaces the inputs.
  const visibleParts = join(parts) === value ? parts : split(value);

  const change = (part: keyof Parts, text: string) => {
    const next = { ...visibleParts, [part]: text.replace(/\D/g, '') };
    setParts(next);
    onChange(join(next));
  };

  // The input that was invalid at the time of the error.
  const [invalid, setInvalid] = useState<{ error?: string; part: DatePart | null }>({ part: null });
  if (invalid.error !== field.error) {
    setInvalid({ error: field.error, part: invalidDatePart(value, birthday) });
  }

  const id = fieldId(field.name);
  return (
    <FieldGroup {...field}>
      <div className={styles.dateParts}>
        {DATE_PARTS.map((part) => (
          <label key={part} className={cx(styles.datePart, part === 'year' && styles.yearPart)}>
            {t(LABELS[part])}
            <input
              id={`${id}-${part}`}
              className={styles.control}
              type="text"
              inputMode="numeric"
              maxLength={part === 'year' ? 4 : 2}
              autoComplete={birthday ? `bday-${part}` : undefined}
              aria-invalid={(field.error && (!invalid.part || invalid.part === part)) || undefined}
              aria-required={field.optional ? undefined : true}
              value={visibleParts[part]}
              onChange={(event) => change(part, event.target.value)}
            />
          </label>
        ))}
      </div>
    </FieldGroup>
  );
}
