import { useState } from 'react';
import { cx } from '@/lib/cx';
import { isDate } from '@/lib/dates';
import { DATE_PARTS, type DatePart, invalidDatePart, splitDate } from '@/lib/validate';
import { FieldGroup, type FieldProps, fieldId } from './Field';
import styles from './Field.module.css';

interface Props extends FieldProps {
  /** `YYYY-MM-DD`; while incomplete, what was typed, joined the same way; empty when nothing is. */
  value: string;
  onChange: (value: string) => void;
  /** Adds `bday-day`, `bday-month`, `bday-year`, so that the browser can fill them. */
  birthday?: boolean;
}

type Parts = Record<DatePart, string>;
const LABELS: Parts = { day: 'Day', month: 'Month', year: 'Year' };

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

/** A known date as three boxes: quicker and safer than a calendar. */
export function DateField({ value, onChange, birthday, ...field }: Props) {
  const [parts, setParts] = useState(() => split(value));
  // A value set from outside (loaded, reset) replaces what the boxes hold.
  const visibleParts = join(parts) === value ? parts : split(value);

  const change = (part: keyof Parts, text: string) => {
    const next = { ...visibleParts, [part]: text.replace(/\D/g, '') };
    setParts(next);
    onChange(join(next));
  };

  // The invalid box at the time of the error: what is typed since is not checked yet.
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
            {LABELS[part]}
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
