import { Trans, useLingui } from '@lingui/react/macro';
import type { InputHTMLAttributes, ReactNode } from 'react';
import styles from './Field.module.css';

export interface FieldProps {
  /** The dotted API name; also the prefix of the ids of hint and error. */
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

/** Split the props of the field from those of its control. */
export function splitFieldProps<P extends FieldProps>(props: P) {
  const { name, label, hint, error, optional, ...rest } = props;
  return { field: { name, label, hint, error, optional }, rest };
}

/** The id of a field's control, the target of the error summary. */
export function fieldId(name: string): string {
  return `field-${name.replaceAll('.', '-')}`;
}

/** Props that associate the control with its hint and error. */
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
          <Trans>
            <span className="visually-hidden">Error: </span>
            {error}
          </Trans>
        </div>
      )}
    </>
  );
}

/** A label, hint and error for one control. */
export function Field({ children, ...props }: FieldProps & { children: ReactNode }) {
  const { t } = useLingui();
  return (
    <div className={styles.field} data-invalid={props.error ? '' : undefined}>
      <label htmlFor={fieldId(props.name)} className={styles.label}>
        {props.label}
        {props.optional === true && <span className={styles.optional}> {t`(optional)`}</span>}
      </label>
      <Notes {...props} />
      {children}
    </div>
  );
}

/** The same for several controls: a fieldset with a legend. */
export function FieldGroup({ children, ...props }: FieldProps & { children: ReactNode }) {
  const { t } = useLingui();
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
        {props.optional === true && <span className={styles.optional}> {t`(optional)`}</span>}
      </legend>
      <Notes {...props} />
      {children}
    </fieldset>
  );
}
