import { FieldGroup, type FieldProps, fieldAria, fieldId } from './Field';
import styles from './Field.module.css';
import { type Option, optionOf } from './inputs';

interface CheckboxProps extends FieldProps {
  value: boolean;
  onChange: (value: boolean) => void;
}

/** One box with its sentence beside it. */
export function Checkbox({ value, onChange, label, ...field }: CheckboxProps) {
  const aria = fieldAria({ ...field, label });
  return (
    <div className={styles.field} data-invalid={field.error ? '' : undefined}>
      {field.error && (
        <div id={`${aria.id}-error`} className={styles.error}>
          <span className="visually-hidden">Error: </span>
          {field.error}
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

interface RadioGroupProps extends FieldProps {
  value: string;
  onChange: (value: string) => void;
  options: readonly Option[];
}

export function RadioGroup({ value, onChange, options, ...field }: RadioGroupProps) {
  return (
    <FieldGroup {...field}>
      <div className={styles.choices}>
        {options.map(optionOf).map((option) => (
          <label key={option.value} className={styles.choice}>
            <input
              type="radio"
              name={fieldId(field.name)}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.label}
          </label>
        ))}
      </div>
    </FieldGroup>
  );
}

interface CheckboxGroupProps extends FieldProps {
  value: readonly string[];
  onChange: (value: string[]) => void;
  options: readonly Option[];
}

/** Several boxes; the value keeps the order of the options. */
export function CheckboxGroup({ value, onChange, options, ...field }: CheckboxGroupProps) {
  const all = options.map(optionOf);
  const toggle = (toggled: string) =>
    onChange(
      all
        .map((option) => option.value)
        .filter((each) => (each === toggled) !== value.includes(each)),
    );
  return (
    <FieldGroup {...field}>
      <div className={styles.choices}>
        {all.map((option) => (
          <label key={option.value} className={styles.choice}>
            <input
              type="checkbox"
              name={field.name}
              value={option.value}
              checked={value.includes(option.value)}
              onChange={() => toggle(option.value)}
            />
            {option.label}
          </label>
        ))}
      </div>
    </FieldGroup>
  );
}
