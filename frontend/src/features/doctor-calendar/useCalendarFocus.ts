import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react';
import { addDays, daysBetween, today as todayIn } from '@/lib/dates';
import { minuteNow, nearestIndex, type PlacedItem, positionAfterKey } from './layout';

const PAGE_KEYS: Record<string, 1 | -1> = { PageUp: -1, PageDown: 1 };

interface Options {
  root: RefObject<HTMLElement | null>;
  /** The items of each day; empty while they load. */
  columns: PlacedItem[][];
  from: string;
  days: number;
  now: number;
  zone: string;
  /** Show the week or day of a date. */
  onNavigate: (date: string) => void;
}

export type CalendarFocus = ReturnType<typeof useCalendarFocus>;

/** One tab stop for the calendar, with arrow key navigation that continues to the next week or day. */
export function useCalendarFocus({ root, columns, from, days, now, zone, onNavigate }: Options) {
  const [current, setCurrent] = useState<string | null>(null);
  // The focus target once its day has loaded.
  const [target, setTarget] = useState<{ date: string; minute: number } | null>(null);

  const elementOf = ({ key }: PlacedItem) =>
    root.current?.querySelector<HTMLElement>(`[data-item="${CSS.escape(key)}"]`);

  const focus = (item: PlacedItem) => {
    setCurrent(item.key);
    elementOf(item)?.focus();
  };

  // The list layout of narrow screens has no empty times.
  const reachableItems = () =>
    columns.map((items) =>
      items.filter((item) => {
        const row = elementOf(item)?.closest('li');
        return row && getComputedStyle(row).display !== 'none';
      }),
    );

  useEffect(() => {
    if (!target) return;
    const items = reachableItems()[daysBetween(from, target.date)];
    // Not loaded, or the URL has not changed yet.
    if (!items) return;
    setTarget(null);
    const index = nearestIndex(items, target.minute);
    const item = index === null ? undefined : items[index];
    if (item) focus(item);
    else root.current?.focus();
  });

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const key = (event.target as Element).closest('[data-item]')?.getAttribute('data-item');
    const focusableItems = reachableItems();
    const day = focusableItems.findIndex((items) => items.some((item) => item.key === key));
    const index = focusableItems[day]?.findIndex((item) => item.key === key) ?? -1;
    const item = focusableItems[day]?.[index];
    if (!item) return;
    const page = PAGE_KEYS[event.key];
    const position = page ? null : positionAfterKey(focusableItems, [day, index], event.key);
    const next = position && focusableItems[position[0]]?.[position[1]];
    if (next) focus(next);
    else if (page || event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      const beyond = event.key === 'ArrowLeft' ? -1 : days;
      const date = addDays(from, page ? day + page * days : beyond);
      setTarget({ date, minute: item.start });
      onNavigate(date);
    } else if (!event.key.startsWith('Arrow')) return;
    event.preventDefault();
  };

  return { tabStop: tabStopOf(columns, current, from, now, zone), onFocus: setCurrent, onKeyDown };
}

/** Return the item in the tab order: the current one, else the next. */
function tabStopOf(
  columns: PlacedItem[][],
  current: string | null,
  from: string,
  now: number,
  zone: string,
): string | null {
  const today = todayIn(zone);
  const items = columns.flat().filter((item) => item.kind !== 'reserved');
  const isNext = (item: PlacedItem) =>
    item.kind === 'appointment' && item.end > (minuteNow(now, zone, today) ?? 0);
  const stop =
    items.find((item) => item.key === current) ??
    columns[Math.max(0, daysBetween(from, today))]?.find(isNext) ??
    items.find((item) => item.kind === 'appointment') ??
    items[0];
  return stop?.key ?? null;
}
