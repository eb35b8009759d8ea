import { type RefObject, useLayoutEffect, useState } from 'react';

/** Return the current width of an element in pixels. */
export function useWidth(element: RefObject<HTMLElement | null>, initialWidth = 600): number {
  const [width, setWidth] = useState(initialWidth);
  useLayoutEffect(() => {
    const node = element.current;
    if (!node || typeof ResizeObserver === 'undefined') return;
    const measure = () => setWidth(node.clientWidth || initialWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(node);
    return () => observer.disconnect();
  }, [element, initialWidth]);
  return width;
}
