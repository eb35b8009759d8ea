import { useLayoutEffect } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';

/** The scroll position of each history entry. */
const positions = new Map<string, number>();
const PATIENCE_MS = 600;

/** Start new pages at the top; restore the position on back navigation, even if the list loads late. */
export function useScrollRestoration(): void {
  const { key, state } = useLocation();
  const type = useNavigationType();
  const keep = Boolean((state as { keepScroll?: boolean } | null)?.keepScroll);

  useLayoutEffect(() => {
    const top = type === 'POP' ? positions.get(key) : keep ? undefined : 0;
    const until = performance.now() + PATIENCE_MS;
    let frame = 0;
    const go = () => {
      if (top === undefined) return;
      window.scrollTo(0, top);
      if (Math.abs(window.scrollY - top) > 2 && performance.now() < until) {
        frame = requestAnimationFrame(go);
      }
    };
    go();
    const remember = () => positions.set(key, window.scrollY);
    window.addEventListener('scroll', remember, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('scroll', remember);
    };
  }, [key, type, keep]);
}
