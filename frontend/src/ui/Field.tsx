import type { InputHTMLAttributes, ReactNode } from 'react';
import styles from './Field.module.css';

export interface FieldProps {
  /** Also the base of the ids of hint and error; the dotted name of the wire. */
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  error?: string;
  /** Adds "(optional)" to the label; `unmarked` does not (filters). Fields without it are required. */
  optional?: boolean | 'unmarked';
}

/** The value of a text control. */
export interface TextValue {
  value: string;
  onChange: (value: string) => void;
}

/** The attributes of `<input>` that pass through to it. */
export type InputAttributes = Omit<
  InputHTMLAttributes<HTMLInputElement>,
  keyof FieldProps | 'value' | 'onChange'
>;

/** Separate the props of the field around a control from those of the control itself. */
export function splitFieldProps<P extends FieldProps>(props: P) {
  const { name, label, hint, error, optional, ...rest } = props;
  return { field: { name, label, hint, error, optional }, rest };
}

/** The id of a field's control: where the error summary's links lead. */
export function fieldId(name: string): string {
  return `field-${name.replaceAll('.', '-')}`;
}

/** What the control needs so that hint and error are read with it. */
export function fieldAria({ name, hint, error, optional }: FieldProps) {
  const id = fieldId(name);
  return {
    id,
    name,
    'aria-describedby':
      [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined,
    'aria-invalid': error ? (true as const) : undefined,
    'aria-required': optional ? undefined : (true as const),
  };
}

function Notes({ name, hint, error }: FieldProps) {
  const id = fieldId(name);
  return (
    <>
      {hint && (
        <div id={`${id}-hint`} className={styles.hint}>
          {hint}
        </div>
      )}
      {error && (
        <div id={`${id}-error`} className={styles.error}>
          <span className="visually-hidden">Error: </span>
          {error}
        </div>
      )}
    </>
  );
}

/** One label, hint and error around one control. */
export function Field({ children, ...props }: FieldProps & { children: ReactNode }) {
  return (
    <div className={styles.field} data-invalid={props.error ? '' : undefined}>
      <label htmlFor={fieldId(props.name)} className={styles.label}>
        {props.label}
        {props.optional === true && <span className={styles.optional}> (optional)</span>}
      </label>
      <Notes {...props} />
      {children}
    </div>
  );
}

/** The same around several controls: a fieldset with a legend. */
export function FieldGroup({ children, ...props }: FieldProps & { children: ReactNode }) {
  const { id, 'aria-describedby': describedBy } = fieldAria(props);
  return (
    <fieldset
      className={styles.field}
      id={id}
      aria-describedby={describedBy}
      data-invalid={props.error ? '' : undefined}
    >
      <legend className={styles.label}>
        {props.label}
        {props.optional === true && <span className={styles.optional}> (optional)</span>}
      </legend>
      <Notes {...props} />
      {children}
    </fieldset>
  );
}
