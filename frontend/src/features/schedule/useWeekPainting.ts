import { type PointerEvent, useEffect, useRef, useState } from 'react';
import type { Week } from '@/api/types';
import { CELL_MINUTES, type Cell, isOpen, paintWeek, weekdayAt } from '@/domain/schedule/hours';

interface Range {
  /** The first minute shown. */
  first: number;
  /** The number of cells per day. */
  rows: number;
}

/** Paint hours by dragging over the grid with element `body`; Escape cancels a drag. */
export function useWeekPainting(
  week: Week,
  onChange: (week: Week) => void,
  { first, rows }: Range,
) {
  const body = useRef<HTMLDivElement>(null);
  const drag = useRef<{ before: Week; from: Cell; to: Cell; open: boolean } | null>(null);
  const [hoveredCell, setHoveredCell] = useState<Cell | null>(null);

  const cellAt = (event: PointerEvent): Cell | null => {
    const box = body.current?.getBoundingClientRect();
    if (!box) return null;
    const within = (share: number, count: number) =>
      Math.max(0, Math.min(count - 1, Math.floor(share * count)));
    return {
      column: within((event.clientX - box.left) / (box.width || 1), 7),
      minute: first + within((event.clientY - box.top) / (box.height || 1), rows) * CELL_MINUTES,
    };
  };

  const paint = (to: Cell) => {
    const current = drag.current;
    if (!current) return;
    current.to = to;
    onChange(paintWeek(current.before, current.from, to, current.open));
  };

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !drag.current) return;
      onChange(drag.current.before);
      drag.current = null;
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [onChange]);

  const stop = () => {
    drag.current = null;
  };

  return {
    body,
    hoveredCell,
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        const cell = cellAt(event);
        if (!cell || event.pointerType === 'touch' || event.button !== 0) return;
        event.preventDefault();
        event.currentTarget.setPointerCapture?.(event.pointerId);
        const open = !isOpen(week[weekdayAt(cell.column)], cell.minute);
        drag.current = { before: week, from: cell, to: cell, open };
        paint(cell);
      },
      onPointerMove: (event: PointerEvent) => {
        const cell = cellAt(event);
        if (!cell || event.pointerType === 'touch') return;
        const lastCell = drag.current?.to ?? hoveredCell;
        if (lastCell?.column === cell.column && lastCell.minute === cell.minute) return;
        setHoveredCell(cell);
        paint(cell);
      },
      onPointerUp: stop,
      onPointerCancel: stop,
      onPointerLeave: () => setHoveredCell(null),
    },
  };
}
