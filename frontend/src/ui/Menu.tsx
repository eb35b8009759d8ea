import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import styles from './Menu.module.css';

const KEYS = new Set(['ArrowDown', 'ArrowUp', 'Home', 'End']);

/** Return the item a key moves to, wrapping around. */
function next(key: string, at: number, count: number): number {
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  if (key === 'ArrowUp') return at <= 0 ? count - 1 : at - 1;
  return (at + 1) % count;
}

interface Props {
  /** The name of the button. */
  label: string;
  /** What the button shows. */
  trigger: ReactNode;
  children: (close: () => void) => ReactNode;
}

/**
 * A button that opens a panel of links and buttons. Escape, a click outside and leaving it with
 * Tab close it; the arrow keys walk it.
 */
export function Menu({ label, trigger, children }: Props) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const id = useId();

  useEffect(() => {
    if (!open) return;
    const onPointer = (event: PointerEvent) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', onPointer);
    return () => document.removeEventListener('pointerdown', onPointer);
  }, [open]);

  const items = () =>
    Array.from(panel.current?.querySelectorAll<HTMLElement>('a, button, input') ?? []);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && open) {
      setOpen(false);
      button.current?.focus();
      return;
    }
    // Radio buttons inside handle arrow keys themselves.
    if (!KEYS.has(event.key) || (event.target as HTMLElement).matches('input')) return;
    event.preventDefault();
    if (!open) {
      setOpen(true);
      requestAnimationFrame(() => items()[0]?.focus());
      return;
    }
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    all[next(event.key, at, all.length)]?.focus();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of its children.
    <div
      ref={root}
      className={styles.root}
      onKeyDown={onKeyDown}
      onBlur={(event) => {
        // relatedTarget is null when the window itself loses focus: stay open then.
        if (event.relatedTarget && !root.current?.contains(event.relatedTarget)) setOpen(false);
      }}
    >
      <button
        ref={button}
        type="button"
        className={styles.button}
        aria-expanded={open}
        aria-controls={id}
        aria-label={label}
        onClick={() => setOpen(!open)}
      >
        {trigger}
      </button>
      <div ref={panel} id={id} className={styles.panel} hidden={!open}>
        {open && children(() => setOpen(false))}
      </div>
    </div>
  );
}
