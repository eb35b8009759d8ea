import { Field, type FieldProps, fieldAria, splitFieldProps, type TextValue } from './Field';
import styles from './Field.module.css';
import { type Option, optionOf } from './options';

interface SelectProps extends FieldProps, TextValue {
  options: readonly Option[];
  /** The first entry, with an empty value. */
  placeholder?: string;
  autoComplete?: string;
  disabled?: boolean;
}

export function Select(props: SelectProps) {
  const { field, rest } = splitFieldProps(props);
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
          <option key={option.value} value={option.value} lang={option.lang}>
            {option.label}
          </option>
        ))}
      </select>
    </Field>
  );
}
