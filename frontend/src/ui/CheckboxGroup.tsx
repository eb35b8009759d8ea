import { FieldGroup, type FieldProps } from './Field';
import styles from './Field.module.css';
import { type Option, optionOf } from './options';

interface CheckboxGroupProps extends FieldProps {
  value: readonly string[];
  onChange: (value: string[]) => void;
  options: readonly Option[];
}

/** Several checkboxes; the value keeps the order of the options. */
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
