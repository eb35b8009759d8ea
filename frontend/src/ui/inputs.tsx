import { type InputHTMLAttributes, type TextareaHTMLAttributes, useState } from 'react';
import { cx } from '@/lib/cx';
import { Field, type FieldProps, fieldAria } from './Field';
import styles from './Field.module.css';

interface Valued {
  value: string;
  onChange: (value: string) => void;
}

type Native = Omit<InputHTMLAttributes<HTMLInputElement>, keyof FieldProps | 'value' | 'onChange'>;

interface TextInputProps extends FieldProps, Valued, Native {
  /** For answers of a few characters. */
  short?: boolean;
}

function split<P extends FieldProps>({ name, label, hint, error, optional, ...rest }: P) {
  return { field: { name, label, hint, error, optional }, rest };
}

/** A one-line input; `type`, `autoComplete`, `inputMode` and the like pass through. */
export function TextInput(props: TextInputProps) {
  const { field, rest } = split(props);
  const { onChange, short, type = 'text', ...native } = rest;
  return (
    <Field {...field}>
      <input
        {...native}
        {...fieldAria(field)}
        type={type}
        className={cx(styles.control, short && styles.short)}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}

/** A password with a button that shows it. */
export function PasswordInput(props: FieldProps & Valued & Native) {
  const { field, rest } = split(props);
  const { onChange, ...native } = rest;
  const [shown, setShown] = useState(false);
  const aria = fieldAria(field);
  return (
    <Field {...field}>
      <div className={styles.password}>
        <input
          {...native}
          {...aria}
          type={shown ? 'text' : 'password'}
          className={styles.control}
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
        />
        <button
          type="button"
          className={styles.show}
          aria-controls={aria.id}
          aria-label={shown ? 'Hide what you typed' : 'Show what you typed'}
          onClick={() => setShown(!shown)}
        >
          {shown ? 'Hide' : 'Show'}
        </button>
      </div>
    </Field>
  );
}

interface TextareaProps
  extends FieldProps,
    Valued,
    Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, keyof FieldProps | 'value' | 'onChange'> {}

export function Textarea(props: TextareaProps) {
  const { field, rest } = split(props);
  const { onChange, rows = 4, ...native } = rest;
  return (
    <Field {...field}>
      <textarea
        {...native}
        {...fieldAria(field)}
        rows={rows}
        className={styles.control}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}

export type Option = string | { value: string; label: string };

export function optionOf(option: Option): { value: string; label: string } {
  return typeof option === 'string' ? { value: option, label: option } : option;
}

interface SelectProps extends FieldProps, Valued {
  options: readonly Option[];
  /** The first entry, with an empty value. */
  placeholder?: string;
  autoComplete?: string;
  disabled?: boolean;
}

export function Select(props: SelectProps) {
  const { field, rest } = split(props);
  const { options, placeholder, onChange, ...native } = rest;
  return (
    <Field {...field}>
      <select
        {...native}
        {...fieldAria(field)}
        className={styles.control}
        onChange={(event) => onChange(event.target.value)}
      >
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options.map(optionOf).map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Field>
  );
}
