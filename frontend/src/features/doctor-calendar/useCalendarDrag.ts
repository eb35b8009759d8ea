import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { Calendar } from '@/api/types';
import { DAY_MINUTES } from '@/domain/schedule/hours';
import { appointmentSpan, minuteNow, nearestStart } from './layout';

/** A selection of empty time snaps to this many minutes. */
const SNAP_MINUTES = 15;
/** A shorter movement is a click. */
const DRAG_THRESHOLD_PX = 5;

/** The result of a drag if it ended now. */
export interface DragPreview {
  date: string;
  start: number;
  end: number;
  /** The dragged appointment; null for a selection of empty time. */
  appointmentId: string | null;
}

interface Position {
  date: string;
  minute: number;
}

interface MinuteRange {
  first: number;
  last: number;
}

interface DragStart extends Position {
  x: number;
  y: number;
  /** For an appointment: the minutes between its start and the pointer. */
  appointment: { id: string; offset: number } | null;
  hasMoved: boolean;
}

interface Options {
  root: RefObject<HTMLElement | null>;
  calendar: Calendar;
  range: MinuteRange;
  now: number;
  onMove: (appointmentId: string, to: Position) => void;
  onSelect: (selection: { date: string; start: number; end: number }) => void;
}

const snap = (minute: number, roundTo = Math.floor) =>
  roundTo(minute / SNAP_MINUTES) * SNAP_MINUTES;

/** Return the date and minute below the pointer; null outside the days. */
function positionAt(
  event: PointerEvent,
  grid: HTMLElement | null,
  { first, last }: MinuteRange,
): Position | null {
  for (const column of grid?.querySelectorAll<HTMLElement>('[data-column]') ?? []) {
    const box = column.getBoundingClientRect();
    if (event.clientX < box.left || event.clientX >= box.right) continue;
    const share = (event.clientY - box.top) / (box.height || 1);
    const minute = first + share * (last - first);
    return {
      date: column.dataset.column ?? '',
      minute: Math.max(first, Math.min(last, minute)),
    };
  }
  return null;
}

function isPast(calendar: Calendar, { date, minute }: Position, now: number): boolean {
  const currentMinute = minuteNow(now, calendar.timeZone, date);
  return date < calendar.today || (currentMinute !== null && minute < currentMinute);
}

/** Return the result of a drag that ends at a position; null if there is no free time to move to. */
function computePreview(
  calendar: Calendar,
  start: DragStart,
  at: Position,
  now: number,
): DragPreview | null {
  if (start.appointment) {
    // Snap to times offered to patients; another one can be entered in the dialog.
    const { id, offset } = start.appointment;
    const from = nearestStart(calendar, at.date, at.minute - offset, now);
    if (from === null) return null;
    const end = Math.min(DAY_MINUTES, from + calendar.visitMinutes);
    return { date: at.date, start: from, end, appointmentId: id };
  }
  const [first, last] = [Math.min(start.minute, at.minute), Math.max(start.minute, at.minute)];
  const from = snap(first);
  const end = Math.max(from + SNAP_MINUTES, snap(last, Math.ceil));
  return { date: start.date, start: from, end: Math.min(DAY_MINUTES, end), appointmentId: null };
}

/**
 * Drag with a mouse or pen: an appointment to another free time, or a selection of empty time.
 * Touch scrolls instead. A drag changes nothing; it opens a dialog with the new time.
 */
export function useCalendarDrag({ root, calendar, range, now, onMove, onSelect }: Options) {
  const [dragPreview, setDragPreview] = useState<DragPreview | null>(null);
  const dragStart = useRef<DragStart | null>(null);
  // The click that ends a drag must not open the item under the pointer.
  const suppressClick = useRef(false);

  const stop = () => {
    dragStart.current = null;
    setDragPreview(null);
  };

  // Escape cancels a drag.
  useEffect(() => {
    if (!dragPreview) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      suppressClick.current = true;
      dragStart.current = null;
      setDragPreview(null);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [dragPreview]);

  const begin = (event: PointerEvent) => {
    suppressClick.current = false;
    if (event.pointerType === 'touch' || event.button !== 0) return;
    // In the list layout nothing can be dragged.
    const target = event.target as Element;
    const column = target.closest<HTMLElement>('[data-column]');
    if (!column || getComputedStyle(column).position !== 'relative') return;
    const at = positionAt(event, root.current, range);
    if (!at) return;
    const id = target.closest('[data-visit]')?.getAttribute('data-visit');
    const appointment = calendar.visits.find((each) => each._id === id);
    if (appointment) {
      const isActive = appointment.status === 'pending' || appointment.status === 'confirmed';
      if (!isActive || appointment.proposal || Date.parse(appointment.startsAt) <= now) return;
      const { start } = appointmentSpan(appointment, calendar.timeZone);
      dragStart.current = {
        x: event.clientX,
        y: event.clientY,
        ...at,
        appointment: { id: appointment._id, offset: at.minute - start },
        hasMoved: false,
      };
      return;
    }
    if (target.closest('button, a') && !target.closest('[data-kind="empty"]')) return;
    if (isPast(calendar, at, now)) return;
    dragStart.current = {
      x: event.clientX,
      y: event.clientY,
      ...at,
      appointment: null,
      hasMoved: false,
    };
  };

  const move = (event: PointerEvent) => {
    const start = dragStart.current;
    if (!start) return;
    const isFar = Math.hypot(event.clientX - start.x, event.clientY - start.y) > DRAG_THRESHOLD_PX;
    if (!start.hasMoved && !isFar) return;
    if (!start.hasMoved) {
      start.hasMoved = true;
      root.current?.setPointerCapture?.(event.pointerId);
    }
    const at = positionAt(event, root.current, range);
    if (at) setDragPreview(computePreview(calendar, start, at, now));
  };

  const end = () => {
    const start = dragStart.current;
    stop();
    if (!start?.hasMoved) return;
    suppressClick.current = true;
    if (!dragPreview) return;
    if (dragPreview.appointmentId)
      onMove(dragPreview.appointmentId, { date: dragPreview.date, minute: dragPreview.start });
    else onSelect({ date: dragPreview.date, start: dragPreview.start, end: dragPreview.end });
  };

  return {
    dragPreview,
    handlers: {
      onPointerDown: begin,
      onPointerMove: move,
      onPointerUp: end,
      onPointerCancel: stop,
      onClickCapture: (event: React.MouseEvent) => {
        if (!suppressClick.current) return;
        suppressClick.current = false;
        event.preventDefault();
        event.stopPropagation();
      },
    },
  };
}
