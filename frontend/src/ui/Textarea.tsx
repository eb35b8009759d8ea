import type { TextareaHTMLAttributes } from 'react';
import { Field, type FieldProps, fieldAria, splitFieldProps, type TextValue } from './Field';
import styles from './Field.module.css';

interface TextareaProps
  extends FieldProps,
    TextValue,
    Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, keyof FieldProps | 'value' | 'onChange'> {}

export function Textarea(props: TextareaProps) {
  const { field, rest } = splitFieldProps(props);
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
