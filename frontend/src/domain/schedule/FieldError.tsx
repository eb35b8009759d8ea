import styles from './schedule.module.css';

/** The error of a field. */
export function FieldError({ id, text }: { id?: string; text: string }) {
  return (
    <span id={id} className={styles.error}>
      <span className="visually-hidden">Error: </span>
      {text}
    </span>
  );
}
