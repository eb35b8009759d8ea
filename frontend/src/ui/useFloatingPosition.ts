import { type RefObject, useLayoutEffect } from 'react';

/**
 * Elements that a message must not cover, with the cost of covering each if there is no free place.
 */
const OBSTACLES = [
  { selector: 'h1,h2,h3,h4', weight: 1 },
  { selector: 'a[href],button,input,select,textarea,summary', weight: 10 },
  // Panels with results and next steps.
  { selector: '[role="status"],[role="alert"]', weight: 100 },
];
const GAP = 12;
const STEP = 8;

interface Obstacle {
  rect: DOMRect;
  weight: number;
}

interface Position {
  left: number;
  top: number;
}

/**
 * Position a floating box where it covers no heading, panel or control: the highest free place of
 * the window, preferably at its inline end. Without a free place, where it covers least.
 */
export function useFloatingPosition(ref: RefObject<HTMLElement | null>, isShown: boolean): void {
  useLayoutEffect(() => {
    const box = ref.current;
    if (!box || !isShown) return;
    let frame = 0;
    const place = () => {
      // Do not move while hovered or focused.
      if (box.matches(':hover, :focus-within')) return;
      const { left, top } = findPosition(box, findObstacles(box));
      box.style.left = `${left}px`;
      box.style.top = `${top}px`;
    };
    const placeSoon = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(place);
    };
    place();
    const changes = new MutationObserver(placeSoon);
    changes.observe(document.body, { childList: true, subtree: true });
    window.addEventListener('scrollend', placeSoon);
    window.addEventListener('resize', placeSoon);
    return () => {
      cancelAnimationFrame(frame);
      changes.disconnect();
      window.removeEventListener('scrollend', placeSoon);
      window.removeEventListener('resize', placeSoon);
    };
  }, [ref, isShown]);
}

function findObstacles(box: HTMLElement): Obstacle[] {
  return OBSTACLES.flatMap(({ selector, weight }) =>
    [...document.querySelectorAll(selector)]
      .filter((element) => !box.contains(element))
      .map((element) => ({ rect: element.getBoundingClientRect(), weight }))
      .filter(({ rect }) => rect.width > 0 && rect.height > 0),
  );
}

function findPosition(box: HTMLElement, obstacles: readonly Obstacle[]): Position {
  const { width, height } = box.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const maxLeft = clientWidth - width - GAP;
  const start = getComputedStyle(box).direction === 'rtl' ? maxLeft : GAP;
  const lefts = [clientWidth - width - start, (clientWidth - width) / 2, start];
  let best: Position & { overlap: number } = {
    left: maxLeft,
    top: GAP,
    overlap: Number.POSITIVE_INFINITY,
  };
  for (let top = GAP; top <= clientHeight - height - GAP; top += STEP) {
    for (const left of lefts) {
      const overlap = obstacles
        .filter(
          ({ rect }) =>
            rect.left < left + width &&
            rect.right > left &&
            rect.top < top + height &&
            rect.bottom > top,
        )
        .reduce((sum, { weight }) => sum + weight, 0);
      if (overlap === 0) return { left, top };
      if (overlap < best.overlap) best = { left, top, overlap };
    }
  }
  return best;
}
