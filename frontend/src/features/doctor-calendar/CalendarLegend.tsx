import { cx } from '@/lib/cx';
import { Inline } from '@/ui/Inline';
import { CheckIcon, CloseIcon } from '@/ui/icons';
import { Toolbar } from '@/ui/Toolbar';
import styles from './calendar.module.css';

/** Must match DayColumn.tsx. */
const LEGEND = [
  { status: 'pending', label: 'Pending' },
  { status: 'confirmed', label: 'Confirmed' },
  { status: 'completed', label: 'Completed', icon: <CheckIcon size={16} /> },
  { status: 'completed', label: 'No-show', icon: <CloseIcon size={16} /> },
  { status: 'cancelled', label: 'Cancelled' },
];

export function CalendarLegend() {
  return (
    <Toolbar rowGap={2} gap={5} align="start">
      <Inline as="ul" rowGap={1} gap={4} aria-label="How appointments look">
        {LEGEND.map(({ status, label, icon }) => (
          <Inline
            as="li"
            key={label}
            wrap={false}
            gap={2}
            className={cx(styles.status, 'small')}
            data-status={status}
          >
            <span className={styles.swatch} aria-hidden="true">
              {icon}
            </span>
            <span className={styles.name}>{label}</span>
          </Inline>
        ))}
      </Inline>
      <p className={cx(styles.hint, 'muted small')}>
        Drag an appointment to another free time, or draw over empty time to block or book it. With
        the keyboard, arrow keys move between appointments and times, and Enter opens one. A striped
        tail is the buffer that an appointment was booked with; “outside hours” marks one that you
        kept where patients can’t book.
      </p>
    </Toolbar>
  );
}
