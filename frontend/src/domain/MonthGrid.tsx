import { t } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { formatCount } from '@/lib/counts';
import {
  addDays,
  addMonths,
  dayParts,
  daysInMonth,
  formatDay,
  formatMonth,
  formatWeekday,
  monthOf,
} from '@/lib/dates';
import { daysIntoWeek, weekStart } from '@/lib/weekStart';
import { IconButton } from '@/ui/Button';
import { Inline } from '@/ui/Inline';
import { ChevronLeftIcon } from '@/ui/icons';
import { ChevronRightIcon } from '@/ui/pageIcons';
import { freeSlotCount } from './freeSlots';
import styles from './MonthGrid.module.css';

/** The appearance of a day in other uses than free times. */
export interface DayAppearance {
  open: boolean;
  /** A short word below the number. */
  tick: string;
  /** Follows the date in the accessible name. */
  description: string;
  kind: 'usual' | 'off' | 'other' | 'closed' | undefined;
}

interface Props {
  /** `YYYY-MM`. */
  month: string;
  onMonth: (month: string) => void;
  first: string;
  last: string;
  today: string;
  /** The number of free times on a day, or its appearance; null while unknown. */
  free: (date: string) => number | DayAppearance | null;
  /** The legend. */
  legend?: ReactNode;
  selectedDate: string | null;
  onChoose: (date: string) => void;
}

const ANY_MONDAY = '2024-01-01';

/** Return the same day of another month, or its last day. */
function inMonth(date: string, month: string): string {
  const day = Math.min(Number(date.slice(8)), daysInMonth(month));
  return `${month}-${String(day).padStart(2, '0')}`;
}

/** Return the date a key moves to (ARIA grid pattern); null for other keys. */
function dateAfterKey(key: string, date: string): string | null {
  switch (key) {
    case 'ArrowLeft':
      return addDays(date, -1);
    case 'ArrowRight':
      return addDays(date, 1);
    case 'ArrowUp':
      return addDays(date, -7);
    case 'ArrowDown':
      return addDays(date, 7);
    case 'Home':
      return addDays(date, -daysIntoWeek(date));
    case 'End':
      return addDays(date, 6 - daysIntoWeek(date));
    case 'PageUp':
      return inMonth(date, addMonths(monthOf(date), -1));
    case 'PageDown':
      return inMonth(date, addMonths(monthOf(date), 1));
    default:
      return null;
  }
}

/** A month grid with one tab stop: arrows, Home, End, Page Up and Page Down move the focus. */
export function MonthGrid({
  month,
  onMonth,
  first,
  last,
  today,
  free,
  legend,
  selectedDate,
  onChoose,
}: Props) {
  const { t } = useLingui();
  const id = useId();
  const table = useRef<HTMLTableElement>(null);
  const walking = useRef(false);
  const [focused, setFocused] = useState<string | null>(null);

  const days = Array.from({ length: daysInMonth(month) }, (_, index) =>
    addDays(`${month}-01`, index),
  );
  const ofMonth = (date: string | null) => (date && monthOf(date) === month ? date : null);
  // The only day in the tab order.
  const cursor =
    ofMonth(focused) ??
    ofMonth(selectedDate) ??
    days.find((day) => lookOf(free(day)).open) ??
    days[0];

  // biome-ignore lint/correctness/useExhaustiveDependencies: follow the cursor that a key moved.
  useEffect(() => {
    if (!walking.current) return;
    walking.current = false;
    table.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, [cursor]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (!cursor || event.altKey || event.ctrlKey || event.metaKey) return;
    const date = dateAfterKey(event.key, cursor);
    if (!date) return;
    event.preventDefault();
    const there = monthOf(date);
    if (there < first || there > last) return;
    walking.current = true;
    setFocused(date);
    if (there !== month) onMonth(there);
  };

  const turn = (count: number) => {
    setFocused(null);
    onMonth(addMonths(month, count));
  };

  // The days of any week, whose names are the column headers.
  const week = Array.from({ length: 7 }, (_, at) => addDays(ANY_MONDAY, weekStart() + at));
  const gap = daysIntoWeek(`${month}-01`);
  const cells = [...Array<null>(gap).fill(null), ...days];
  const weeks = Array.from({ length: Math.ceil(cells.length / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_, at) => cells[week * 7 + at] ?? null),
  );

  return (
    <div>
      <Inline gap={2} justify="between" wrap={false} className={styles.header}>
        <IconButton
          label={t`Previous month`}
          aria-disabled={month <= first}
          onClick={() => month > first && turn(-1)}
        >
          <ChevronLeftIcon />
        </IconButton>
        <p id={id} className="strong" aria-live="polite">
          {formatMonth(`${month}-01`)}
        </p>
        <IconButton
          label={t`Next month`}
          aria-disabled={month >= last}
          onClick={() => month < last && turn(1)}
        >
          <ChevronRightIcon />
        </IconButton>
      </Inline>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table of days is walked as a grid. */}
      <table ref={table} role="grid" className={styles.grid} aria-labelledby={id}>
        <thead>
          <tr>
            {week.map((date) => (
              <th key={date} scope="col" abbr={formatWeekday(date)}>
                {dayParts(date).weekday}
              </th>
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={onKeyDown}>
          {weeks.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the weeks of a month are numbered.
            <tr key={at}>
              {row.map((date, weekday) =>
                date ? (
                  <DayCell
                    key={date}
                    date={date}
                    look={lookOf(free(date))}
                    isSelected={date === selectedDate}
                    isToday={date === today}
                    isTabStop={date === cursor}
                    onChoose={onChoose}
                    onReach={setFocused}
                  />
                ) : (
                  // biome-ignore lint/suspicious/noArrayIndexKey: an empty cell of the week.
                  <td key={weekday} />
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles.legend}>
        {legend ?? t`Small numbers show how many openings a day has.`}
      </p>
    </div>
  );
}

function lookOf(free: number | DayAppearance | null): DayAppearance {
  if (free === null)
    return { open: false, tick: '', description: t`loading openings`, kind: undefined };
  if (typeof free === 'object') return free;
  return {
    open: free > 0,
    tick: free > 0 ? formatCount(free) : '',
    description: freeSlotCount(free),
    kind: undefined,
  };
}

function DayCell({
  date,
  look,
  isSelected,
  isToday,
  isTabStop,
  onChoose,
  onReach,
}: {
  date: string;
  look: DayAppearance;
  isSelected: boolean;
  isToday: boolean;
  isTabStop: boolean;
  onChoose: (date: string) => void;
  onReach: (date: string) => void;
}) {
  const { t } = useLingui();
  const { open, kind } = look;
  const day = formatDay(date);
  const { description } = look;
  return (
    <td className={styles.cell}>
      <button
        type="button"
        className={styles.day}
        tabIndex={isTabStop ? 0 : -1}
        aria-disabled={!open}
        aria-current={isToday ? 'date' : undefined}
        aria-pressed={open ? isSelected : undefined}
        data-free={open ? '' : undefined}
        data-kind={kind}
        aria-label={t`${day}, ${description}`}
        onClick={() => open && onChoose(date)}
        onFocus={() => onReach(date)}
      >
        <span className={styles.number}>{formatCount(Number(date.slice(8)))}</span>
        {/* Drawn by the style: the label is the day's number, which the name contains (WCAG 2.5.3). */}
        <span className={styles.count} data-count={look.tick} />
      </button>
    </td>
  );
}
