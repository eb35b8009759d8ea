import { cx } from '@/lib/cx';
import {
  Field,
  type FieldProps,
  fieldAria,
  type InputAttributes,
  splitFieldProps,
  type TextValue,
} from './Field';
import styles from './Field.module.css';

interface TextInputProps extends FieldProps, TextValue, InputAttributes {
  /** For short values. */
  short?: boolean;
}

/** A one-line input; `type`, `autoComplete`, `inputMode` and the like pass through. */
export function TextInput(props: TextInputProps) {
  const { field, rest } = splitFieldProps(props);
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
