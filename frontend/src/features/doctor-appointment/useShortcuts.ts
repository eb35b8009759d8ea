import { useEffect, useRef } from 'react';

interface Shortcuts {
  save: () => void;
  complete?: () => void;
}

/** Ctrl or Cmd with S saves and with Enter completes, anywhere on the page. */
export function useShortcuts(handlers: Shortcuts): void {
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      // A dialog is open and handles its own keys.
      if (document.querySelector('dialog[open]')) return;
      const { save, complete } = latest.current;
      if (event.key.toLowerCase() === 's') {
        event.preventDefault();
        if (!event.repeat) save();
      } else if (event.key === 'Enter' && complete) {
        event.preventDefault();
        if (!event.repeat) complete();
      }
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}
