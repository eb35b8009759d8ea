import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useId, useState } from 'react';
import { type ColorScheme, getColorScheme, setColorScheme } from '@/lib/colorScheme';
import { Grid } from '@/ui/Grid';
import styles from './AvatarMenu.module.css';

const OPTIONS: { value: ColorScheme; label: MessageDescriptor }[] = [
  { value: 'system', label: msg({ message: 'Auto', context: 'appearance' }) },
  { value: 'light', label: msg({ message: 'Light', context: 'appearance' }) },
  { value: 'dark', label: msg({ message: 'Dark', context: 'appearance' }) },
];

/** Light, dark, or the device's setting. */
export function ColorSchemeSwitch() {
  const { t } = useLingui();
  const [chosen, setChosen] = useState(getColorScheme);
  const name = useId();
  return (
    <fieldset className={styles.colorScheme}>
      <legend className={styles.legend}>
        <Trans>Appearance</Trans>
      </legend>
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
            {t(label)}
          </label>
        ))}
      </Grid>
    </fieldset>
  );
}
