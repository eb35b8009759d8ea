import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { Calendar } from '@/api/types';
import { DAY_MINUTES } from '@/domain/schedule/hours';
import { minuteNow, nearestStart, stretchOf } from './layout';

/** A stroke over empty time, to block it, snaps to this many minutes. */
const STEP = 15;
/** So far a press is no drag. */
const SLACK_PX = 5;

/** What a drag would make of a day. */
export interface Ghost {
  date: string;
  start: number;
  end: number;
  /** The appointment that is moved; a stroke over empty time has none. */
  appointmentId: string | null;
}

interface Started {
  x: number;
  y: number;
  date: string;
  minute: number;
  /** For an appointment: where in it the pointer took hold. */
  appointment: { id: string; grip: number } | null;
  moved: boolean;
}

interface Options {
  root: RefObject<HTMLElement | null>;
  calendar: Calendar;
  range: { first: number; last: number };
  now: number;
  onMove: (appointmentId: string, to: { date: string; minute: number }) => void;
  onStroke: (stroke: { date: string; start: number; end: number }) => void;
}

const snap = (minute: number, round = Math.floor) => round(minute / STEP) * STEP;

/**
 * Drags with a mouse or a pen: an appointment to another free time, or a stroke over empty time. A
 * finger scrolls instead. Nothing is changed by a drag; it opens a dialog that is filled in.
 */
export function useCalendarDrag({ root, calendar, range, now, onMove, onStroke }: Options) {
  const [ghost, setGhost] = useState<Ghost | null>(null);
  const started = useRef<Started | null>(null);
  // The press that ends a drag must not open what lies under the pointer.
  const swallow = useRef(false);

  const stop = () => {
    started.current = null;
    setGhost(null);
  };

  // Escape takes a drag back.
  useEffect(() => {
    if (!ghost) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      swallow.current = true;
      started.current = null;
      setGhost(null);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [ghost]);

  const placeAt = (event: PointerEvent): { date: string; minute: number } | null => {
    for (const column of root.current?.querySelectorAll<HTMLElement>('[data-column]') ?? []) {
      const box = column.getBoundingClientRect();
      if (event.clientX < box.left || event.clientX >= box.right) continue;
      const share = (event.clientY - box.top) / (box.height || 1);
      const minute = range.first + share * (range.last - range.first);
      return {
        date: column.dataset.column ?? '',
        minute: Math.max(range.first, Math.min(range.last, minute)),
      };
    }
    return null;
  };

  const isOver = (date: string, minute: number) => {
    const passed = minuteNow(now, calendar.timeZone, date);
    return date < calendar.today || (passed !== null && minute < passed);
  };

  const ghostOf = (start: Started, at: { date: string; minute: number }): Ghost | null => {
    if (start.appointment) {
      // Only where patients are offered a time: another one can be typed in the dialog.
      const { id, grip } = start.appointment;
      const from = nearestStart(calendar, at.date, at.minute - grip, now);
      if (from === null) return null;
      const end = Math.min(DAY_MINUTES, from + calendar.visitMinutes);
      return { date: at.date, start: from, end, appointmentId: id };
    }
    const [first, last] = [Math.min(start.minute, at.minute), Math.max(start.minute, at.minute)];
    const from = snap(first);
    const end = Math.max(from + STEP, snap(last, Math.ceil));
    return { date: start.date, start: from, end: Math.min(DAY_MINUTES, end), appointmentId: null };
  };

  const begin = (event: PointerEvent) => {
    swallow.current = false;
    if (event.pointerType === 'touch' || event.button !== 0) return;
    // Drawn as a list, there is no place to drag to.
    const target = event.target as Element;
    const column = target.closest<HTMLElement>('[data-column]');
    if (!column || getComputedStyle(column).position !== 'relative') return;
    const at = placeAt(event);
    if (!at) return;
    const id = target.closest('[data-visit]')?.getAttribute('data-visit');
    const appointment = calendar.visits.find((each) => each._id === id);
    if (appointment) {
      const live = appointment.status === 'pending' || appointment.status === 'confirmed';
      if (!live || appointment.proposal || Date.parse(appointment.startsAt) <= now) return;
      const { start } = stretchOf(appointment, calendar.timeZone);
      started.current = {
        x: event.clientX,
        y: event.clientY,
        ...at,
        appointment: { id: appointment._id, grip: at.minute - start },
        moved: false,
      };
      return;
    }
    if (target.closest('button, a') && !target.closest('[data-kind="empty"]')) return;
    if (isOver(at.date, at.minute)) return;
    started.current = {
      x: event.clientX,
      y: event.clientY,
      ...at,
      appointment: null,
      moved: false,
    };
  };

  const move = (event: PointerEvent) => {
    const start = started.current;
    if (!start) return;
    const far = Math.hypot(event.clientX - start.x, event.clientY - start.y) > SLACK_PX;
    if (!start.moved && !far) return;
    if (!start.moved) {
      start.moved = true;
      root.current?.setPointerCapture?.(event.pointerId);
    }
    const at = placeAt(event);
    if (at) setGhost(ghostOf(start, at));
  };

  const end = () => {
    const start = started.current;
    stop();
    if (!start?.moved) return;
    swallow.current = true;
    if (!ghost) return;
    if (ghost.appointmentId) onMove(ghost.appointmentId, { date: ghost.date, minute: ghost.start });
    else onStroke({ date: ghost.date, start: ghost.start, end: ghost.end });
  };

  return {
    ghost,
    handlers: {
      onPointerDown: begin,
      onPointerMove: move,
      onPointerUp: end,
      onPointerCancel: stop,
      onClickCapture: (event: React.MouseEvent) => {
        if (!swallow.current) return;
        swallow.current = false;
        event.preventDefault();
        event.stopPropagation();
      },
    },
  };
}
