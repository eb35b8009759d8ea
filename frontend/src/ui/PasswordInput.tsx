import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import {
  Field,
  type FieldProps,
  fieldAria,
  type InputAttributes,
  splitFieldProps,
  type TextValue,
} from './Field';
import styles from './Field.module.css';

/** A password input with a button to show the password. */
export function PasswordInput(props: FieldProps & TextValue & InputAttributes) {
  const { t } = useLingui();
  const { field, rest } = splitFieldProps(props);
  const { onChange, ...native } = rest;
  const [shown, setShown] = useState(false);
  const aria = fieldAria(field);
  return (
    <Field {...field}>
      <div className={styles.password}>
        <input
          {...native}
          {...aria}
          type={shown ? 'text' : 'password'}
          className={styles.control}
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
        />
        <button
          type="button"
          className={styles.reveal}
          aria-controls={aria.id}
          aria-label={shown ? t`Hide password` : t`Show password`}
          onClick={() => setShown(!shown)}
        >
          {shown
            ? t({ message: 'Hide', context: 'password' })
            : t({ message: 'Show', context: 'password' })}
        </button>
      </div>
    </Field>
  );
}
