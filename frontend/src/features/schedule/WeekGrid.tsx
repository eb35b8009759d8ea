import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { Week } from '@/api/types';
import {
  CELL_MINUTES,
  DAY_MINUTES,
  formatMinute,
  minuteText,
  shortWeekdayLabel,
  toSpans,
  weekdayName,
} from '@/domain/schedule/hours';
import { formatTimeRange } from '@/lib/dates';
import { WEEKDAYS } from '@/lib/options';
import { orderedWeekdays } from '@/lib/weekStart';
import { Button } from '@/ui/Button';
import { Grid } from '@/ui/Grid';
import { Inline } from '@/ui/Inline';
import { Stack } from '@/ui/Stack';
import styles from './schedule.module.css';
import { useWeekPainting } from './useWeekPainting';

/** The visible part of a day unless hours extend beyond it. */
const DEFAULT_FIRST_MINUTE = 7 * 60;
const DEFAULT_LAST_MINUTE = 20 * 60;

/** Return the spans of a weekday: its own hours until midnight, and the rest of the day before. */
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
 * A grid for painting the weekly hours: dragging from closed time opens it, from open time closes
 * it, across any number of days. It is only for mice and hidden from screen readers, because the
 * list beside it offers the same; touch scrolls.
 */
export function WeekGrid({ week, onChange }: { week: Week; onChange: (week: Week) => void }) {
  const { t } = useLingui();
  const [isWholeDay, setIsWholeDay] = useState(false);

  const weekdays = orderedWeekdays();
  const spans = WEEKDAYS.flatMap((_, day) => shownSpans(week, day));
  const hour = (minute: number, round: (hours: number) => number) => round(minute / 60) * 60;
  const first = isWholeDay
    ? 0
    : Math.min(DEFAULT_FIRST_MINUTE, ...spans.map(([start]) => hour(start, Math.floor)));
  const last = isWholeDay
    ? DAY_MINUTES
    : Math.min(
        DAY_MINUTES,
        Math.max(DEFAULT_LAST_MINUTE, ...spans.map(([, end]) => hour(end, Math.ceil))),
      );
  const rows = (last - first) / CELL_MINUTES;
  const hours = Array.from({ length: rows / 2 }, (_, at) => first + at * 60);

  const { body, hoveredCell, handlers } = useWeekPainting(week, onChange, { first, rows });

  return (
    <div className={styles.gridPart} aria-hidden="true">
      <Grid gap={0} className={styles.gridHeader}>
        {weekdays.map((day) => (
          <span key={day}>{shortWeekdayLabel(day)}</span>
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
            <span key={minute}>{minuteText(minute)}</span>
          ))}
        </Stack>
        <Grid ref={body} data-testid="week-grid" gap={0} className={styles.grid} {...handlers}>
          {weekdays.map((day, column) => (
            <div key={day} className={styles.gridDay}>
              {hoveredCell?.column === column && (
                <div
                  className={styles.gridHover}
                  style={{
                    insetBlockStart: share(hoveredCell.minute - first),
                    height: share(CELL_MINUTES),
                  }}
                />
              )}
              {shownSpans(week, WEEKDAYS.indexOf(day)).map(([start, end]) => (
                <div
                  key={`${start}-${end}`}
                  className={styles.gridSpan}
                  style={{ insetBlockStart: share(start - first), height: share(end - start) }}
                >
                  {end - start >= 60 && <span>{spanText(start, end)}</span>}
                </div>
              ))}
            </div>
          ))}
        </Grid>
      </Inline>
      <Inline justify="between" wrap={false} className={styles.gridFooter}>
        <p className="muted small">
          <Trans>Drag to add or remove hours. Press Esc to cancel.</Trans>
        </p>
        <Button variant="quiet" tabIndex={-1} onClick={() => setIsWholeDay(!isWholeDay)}>
          {isWholeDay ? t`Show daytime only` : t`Show all 24 hours`}
        </Button>
      </Inline>
    </div>
  );

  function spanText(start: number, end: number): string {
    return end - start >= 120
      ? formatTimeRange(formatMinute(start), formatMinute(end))
      : minuteText(start);
  }

  function share(minutes: number): string {
    return `${(minutes / (last - first)) * 100}%`;
  }
}
