import type { RefObject } from 'react';
import type { Calendar } from '@/api/types';
import { minuteText } from '@/domain/schedule/hours';
import { today as todayIn } from '@/lib/dates';
import type { OpenDialog } from './CalendarDialog';
import styles from './calendar.module.css';
import { DayColumn } from './DayColumn';
import { hourHeight, hourRange, minuteNow, type PlacedItem } from './layout';
import { useCalendarDrag } from './useCalendarDrag';
import type { CalendarFocus } from './useCalendarFocus';

interface Props {
  calendar: Calendar;
  /** The items of each day. */
  columns: PlacedItem[][];
  view: 'day' | 'week';
  now: number;
  zone: string;
  root: RefObject<HTMLDivElement | null>;
  focus: CalendarFocus;
  onOpen: (dialog: OpenDialog) => void;
}

/** The days side by side, with hours at the edge. */
export function CalendarGrid({ calendar, columns, view, now, zone, root, focus, onOpen }: Props) {
  const today = todayIn(zone);
  const range = hourRange(calendar);
  const hours = (range.last - range.first) / 60;
  const { dragPreview, handlers } = useCalendarDrag({
    root,
    calendar,
    range,
    now,
    onMove: (id, slot) => onOpen({ kind: 'reschedule', id, ...slot }),
    onSelect: (selection) => onOpen({ kind: 'time', action: 'block', ...selection }),
  });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: listens for the keys and drags of the buttons inside.
    <div
      ref={root}
      className={styles.grid}
      data-view={view}
      data-walk=""
      data-dragging={dragPreview ? '' : undefined}
      tabIndex={-1}
      onKeyDown={focus.onKeyDown}
      {...handlers}
      style={
        {
          '--days': calendar.days.length,
          '--hour': `${hourHeight(calendar.visitMinutes)}px`,
          '--hours': hours,
        } as React.CSSProperties
      }
    >
      <div className={styles.hourLabels} aria-hidden="true">
        {Array.from({ length: hours }, (_, index) => {
          const minute = range.first + index * 60;
          return <span key={minute}>{minuteText(minute)}</span>;
        })}
      </div>
      {calendar.days.map((day, index) => (
        <DayColumn
          key={day.date}
          view={view}
          day={day}
          items={columns[index] ?? []}
          range={range}
          isToday={day.date === today}
          isPast={day.date < today}
          now={minuteNow(now, zone, day.date)}
          tabStop={focus.tabStop}
          dragPreview={dragPreview?.date === day.date ? dragPreview : null}
          draggedId={dragPreview?.appointmentId ?? null}
          onFocus={focus.onFocus}
          onOpen={onOpen}
        />
      ))}
    </div>
  );
}
