import { useId, useState } from 'react';
import { type ColorScheme, getColorScheme, setColorScheme } from '@/lib/colorScheme';
import { Grid } from '@/ui/Grid';
import styles from './AvatarMenu.module.css';

const OPTIONS: { value: ColorScheme; label: string }[] = [
  { value: 'system', label: 'Auto' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

/** Light, dark, or the device's setting. */
export function ColorSchemeSwitch() {
  const [chosen, setChosen] = useState(getColorScheme);
  const name = useId();
  return (
    <fieldset className={styles.colorScheme}>
      <legend className={styles.legend}>Colors</legend>
      <Grid gap={0} className={styles.options}>
        {OPTIONS.map(({ value, label }) => (
          <label key={value} className={styles.option}>
            <input
              type="radio"
              name={name}
              checked={chosen === value}
              onChange={() => {
                setChosen(value);
                setColorScheme(value);
              }}
            />
            {label}
          </label>
        ))}
      </Grid>
    </fieldset>
  );
}
