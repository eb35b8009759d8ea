import type { ReactNode } from 'react';
import styles from './FormSection.module.css';
import { Stack } from './Stack';

/** A named part of a long form. */
export function FormSection({
  title,
  hint,
  children,
}: {
  title: string;
  hint?: ReactNode;
  children: ReactNode;
}) {
  return (
    <fieldset className={styles.section}>
      <legend className={styles.title}>
        {/* A heading too, so that a long form can be walked by its parts. */}
        <h2>{title}</h2>
      </legend>
      {hint && <p className="muted small">{hint}</p>}
      <Stack gap={5}>{children}</Stack>
    </fieldset>
  );
}
