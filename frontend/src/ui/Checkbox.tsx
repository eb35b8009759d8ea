import { Trans } from '@lingui/react/macro';
import { type FieldProps, fieldAria } from './Field';
import styles from './Field.module.css';

interface CheckboxProps extends FieldProps {
  value: boolean;
  onChange: (value: boolean) => void;
}

/** A labeled checkbox. */
export function Checkbox({ value, onChange, label, ...field }: CheckboxProps) {
  const aria = fieldAria({ ...field, label });
  const { error } = field;
  return (
    <div className={styles.field} data-invalid={error ? '' : undefined}>
      {error && (
        <div id={`${aria.id}-error`} className={styles.error}>
          <Trans>
            <span className="visually-hidden">Error: </span>
            {error}
          </Trans>
        </div>
      )}
      <div className={styles.choice}>
        <input
          {...aria}
          type="checkbox"
          checked={value}
          onChange={(event) => onChange(event.target.checked)}
        />
        <label htmlFor={aria.id}>{label}</label>
      </div>
      {field.hint && (
        <div id={`${aria.id}-hint`} className={styles.hint}>
          {field.hint}
        </div>
      )}
    </div>
  );
}
