import { cx } from '@/lib/cx';
import { CheckIcon, CloseIcon } from '@/ui/icons';
import styles from './calendar.module.css';

/** As DayColumn.tsx draws them. */
const LOOKS = [
  { status: 'pending', label: 'pending' },
  { status: 'confirmed', label: 'confirmed' },
  { status: 'completed', label: 'completed', mark: <CheckIcon size={16} /> },
  { status: 'completed', label: 'no-show', mark: <CloseIcon size={16} /> },
  { status: 'cancelled', label: 'cancelled' },
];

export function CalendarLegend() {
  return (
    <div className={styles.footer}>
      <ul className={styles.legend} aria-label="How appointments look">
        {LOOKS.map(({ status, label, mark }) => (
          <li key={label} data-status={status}>
            <span className={styles.swatch} aria-hidden="true">
              {mark}
            </span>
            <span>{label}</span>
          </li>
        ))}
      </ul>
      <p className={cx(styles.hint, 'muted small')}>
        Drag an appointment to another free time, or draw over empty time to block or book it. With
        the keyboard, arrow keys move between appointments and times, and Enter opens one. A striped
        tail is the buffer that an appointment was booked with; “outside hours” marks one that you
        kept where patients can’t book.
      </p>
    </div>
  );
}
