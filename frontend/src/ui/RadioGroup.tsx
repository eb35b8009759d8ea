import { FieldGroup, type FieldProps, fieldId } from './Field';
import styles from './Field.module.css';
import { type Option, optionOf } from './options';

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
