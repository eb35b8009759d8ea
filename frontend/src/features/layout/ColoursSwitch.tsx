import { useId, useState } from 'react';
import { type Colours, chooseColours, chosenColours } from '@/lib/colours';
import styles from './AvatarMenu.module.css';

const OPTIONS: { value: Colours; label: string }[] = [
  { value: 'system', label: 'Auto' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

/** Light, dark, or what the device says. */
export function ColoursSwitch() {
  const [chosen, setChosen] = useState(chosenColours);
  const name = useId();
  return (
    <fieldset className={styles.colours}>
      <legend className={styles.legend}>Colours</legend>
      <div className={styles.options}>
        {OPTIONS.map(({ value, label }) => (
          <label key={value} className={styles.option}>
            <input
              type="radio"
              name={name}
              checked={chosen === value}
              onChange={() => {
                setChosen(value);
                chooseColours(value);
              }}
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
