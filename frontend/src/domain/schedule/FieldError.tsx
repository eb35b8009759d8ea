import styles from './schedule.module.css';

/** What is wrong, at its place. */
export function FieldError({ id, text }: { id?: string; text: string }) {
  return (
    <span id={id} className={styles.error}>
      <span className="visually-hidden">Error: </span>
      {text}
    </span>
  );
}
