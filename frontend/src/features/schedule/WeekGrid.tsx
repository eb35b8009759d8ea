import { type PointerEvent, useEffect, useRef, useState } from 'react';
import type { Week } from '@/api/types';
import {
  CELL_MINUTES,
  type Cell,
  DAY_MINUTES,
  formatMinute,
  isOpen,
  paintWeek,
  toSpans,
  weekdayName,
} from '@/domain/schedule/hours';
import { capitalize } from '@/lib/names';
import { WEEKDAYS } from '@/lib/options';
import { Button } from '@/ui/Button';
import { Grid } from '@/ui/Grid';
import { Inline } from '@/ui/Inline';
import { Stack } from '@/ui/Stack';
import styles from './schedule.module.css';

/** What is shown of a day unless its hours reach further. */
const DEFAULT_FIRST_MINUTE = 7 * 60;
const DEFAULT_LAST_MINUTE = 20 * 60;

/** What a weekday shows: its own hours until midnight, and what runs over from the day before. */
function shownSpans(week: Week, day: number): [number, number][] {
  const before = toSpans(week[weekdayName((day + 6) % 7)]);
  const late = before.filter(([, end]) => end > DAY_MINUTES);
  return [
    ...late.map(([, end]): [number, number] => [0, end - DAY_MINUTES]),
    ...toSpans(week[weekdayName(day)]).map(([start, end]): [number, number] => [
      start,
      Math.min(end, DAY_MINUTES),
    ]),
  ];
}

/**
 * The week as one paints it: a drag over closed time opens it, over open time closes it, over any
 * number of days. It is for the mouse alone and hidden from screen readers, since the list beside
 * it says and does the same; a finger scrolls past it.
 */
export function WeekGrid({ week, onChange }: { week: Week; onChange: (week: Week) => void }) {
  const body = useRef<HTMLDivElement>(null);
  const drag = useRef<{ before: Week; from: Cell; to: Cell; open: boolean } | null>(null);
  const [whole, setWhole] = useState(false);
  const [touched, setTouched] = useState<Cell | null>(null);

  const spans = WEEKDAYS.flatMap((_, day) => shownSpans(week, day));
  const hour = (minute: number, round: (hours: number) => number) => round(minute / 60) * 60;
  const first = whole
    ? 0
    : Math.min(DEFAULT_FIRST_MINUTE, ...spans.map(([start]) => hour(start, Math.floor)));
  const last = whole
    ? DAY_MINUTES
    : Math.min(
        DAY_MINUTES,
        Math.max(DEFAULT_LAST_MINUTE, ...spans.map(([, end]) => hour(end, Math.ceil))),
      );
  const rows = (last - first) / CELL_MINUTES;
  const hours = Array.from({ length: rows / 2 }, (_, at) => first + at * 60);

  const cellAt = (event: PointerEvent): Cell | null => {
    const box = body.current?.getBoundingClientRect();
    if (!box) return null;
    const within = (share: number, count: number) =>
      Math.max(0, Math.min(count - 1, Math.floor(share * count)));
    return {
      day: within((event.clientX - box.left) / (box.width || 1), 7),
      minute: first + within((event.clientY - box.top) / (box.height || 1), rows) * CELL_MINUTES,
    };
  };

  const paint = (to: Cell) => {
    const now = drag.current;
    if (!now) return;
    now.to = to;
    onChange(paintWeek(now.before, now.from, to, now.open));
  };

  // Escape takes a drag back.
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !drag.current) return;
      onChange(drag.current.before);
      drag.current = null;
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [onChange]);

  return (
    <div className={styles.gridPart} aria-hidden="true">
      <Grid gap={0} className={styles.gridHeader}>
        {WEEKDAYS.map((day) => (
          <span key={day}>{capitalize(day).slice(0, 3)}</span>
        ))}
      </Grid>
      <Inline
        gap={0}
        align="stretch"
        wrap={false}
        className={styles.gridFrame}
        style={{ '--rows': rows } as React.CSSProperties}
      >
        <Stack gap={0} className={styles.gridTicks}>
          {hours.map((minute) => (
            <span key={minute}>{formatMinute(minute)}</span>
          ))}
        </Stack>
        <Grid
          ref={body}
          data-testid="week-grid"
          gap={0}
          className={styles.grid}
          onPointerDown={(event) => {
            const cell = cellAt(event);
            if (!cell || event.pointerType === 'touch' || event.button !== 0) return;
            event.preventDefault();
            event.currentTarget.setPointerCapture?.(event.pointerId);
            const open = !isOpen(week[weekdayName(cell.day)], cell.minute);
            drag.current = { before: week, from: cell, to: cell, open };
            paint(cell);
          }}
          onPointerMove={(event) => {
            const cell = cellAt(event);
            if (!cell || event.pointerType === 'touch') return;
            const at = drag.current?.to ?? touched;
            if (at?.day === cell.day && at.minute === cell.minute) return;
            setTouched(cell);
            paint(cell);
          }}
          onPointerUp={() => {
            drag.current = null;
          }}
          onPointerCancel={() => {
            drag.current = null;
          }}
          onPointerLeave={() => setTouched(null)}
        >
          {WEEKDAYS.map((day, column) => (
            <div key={day} className={styles.gridDay}>
              {touched?.day === column && (
                <div
                  className={styles.gridHover}
                  style={{
                    insetBlockStart: share(touched.minute - first),
                    height: share(CELL_MINUTES),
                  }}
                />
              )}
              {shownSpans(week, column).map(([start, end]) => (
                <div
                  key={`${start}-${end}`}
                  className={styles.gridSpan}
                  style={{ insetBlockStart: share(start - first), height: share(end - start) }}
                >
                  {end - start >= 60 && (
                    <span>
                      {formatMinute(start)}
                      {end - start >= 120 && ' –'} {end - start >= 120 && formatMinute(end)}
                    </span>
                  )}
                </div>
              ))}
            </div>
          ))}
        </Grid>
      </Inline>
      <Inline justify="between" wrap={false} className={styles.gridFooter}>
        <p className="muted small">
          Drag over empty time to open it, over open time to close it. Press Esc to cancel.
        </p>
        <Button variant="quiet" tabIndex={-1} onClick={() => setWhole(!whole)}>
          {whole ? 'Show the day only' : 'Show all 24 hours'}
        </Button>
      </Inline>
    </div>
  );

  function share(minutes: number): string {
    return `${(minutes / (last - first)) * 100}%`;
  }
}
