import { Trans } from '@lingui/react/macro';
import {
  addDays,
  addMonths,
  daysInMonth,
  formatDay,
  formatMonth,
  monthOf,
  today,
} from '@/lib/dates';
import { Stack } from '@/ui/Stack';
import { NextFreeDay } from './NextFreeDay';

interface Props {
  month: string;
  zone: string;
  lastDay: string;
  /** Returns the free times of a day; null while unknown. */
  timesOn: (date: string) => string[] | null;
  findNextFreeDay: (from: string) => Promise<string | null>;
  onMonth: (month: string) => void;
}

/** Notes about the month in the grid: whether it is full or the last one. */
export function MonthNotes({ month, zone, lastDay, timesOn, findNextFreeDay, onMonth }: Props) {
  const isFull = bookableDays(month, zone, lastDay).every((date) => timesOn(date)?.length === 0);
  const monthName = formatMonth(`${month}-01`);
  const lastDayText = formatDay(lastDay);
  return (
    <>
      {isFull && (
        <Stack gap={2} role="status">
          <p>
            <Trans>No openings in {monthName}.</Trans>
          </p>
          <NextFreeDay
            find={findNextFreeDay}
            from={`${addMonths(month, 1)}-01`}
            onFound={(date) => onMonth(monthOf(date))}
          />
        </Stack>
      )}
      {month === monthOf(lastDay) && (
        <p className="muted small">
          <Trans>You can book through {lastDayText}. One more day opens each day.</Trans>
        </p>
      )}
    </>
  );
}

/** Return the days of a month that can be booked. */
function bookableDays(month: string, zone: string, lastDay: string): string[] {
  const first = today(zone);
  return Array.from({ length: daysInMonth(month) }, (_, index) =>
    addDays(`${month}-01`, index),
  ).filter((date) => date >= first && date <= lastDay);
}
