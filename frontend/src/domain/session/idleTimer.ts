import { useEffect, useState } from 'react';
import { onAuthenticatedResponse } from '@/api/client';
import { touchSession } from '@/api/session';

const WARN_BEFORE_MS = 2 * 60_000;
const TICK_MS = 5_000;
/** How often to tell the server about activity without requests. */
const PING_MS = 4 * 60_000;

/**
 * Track the server's idle timeout, which every authorized response in any tab restarts; activity
 * without requests keeps the session alive too. Returns the milliseconds left once the warning is
 * due, else null, and a function that postpones the timeout.
 */
export function useIdleClock(idleMinutes: number | undefined, onTimeout: () => void) {
  const [left, setLeft] = useState<number | null>(null);

  useEffect(() => {
    if (!idleMinutes) return;
    const limit = idleMinutes * 60_000;
    let contact = Date.now();
    let input = contact;
    let pinging = false;

    const tabs = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('wellhour');
    const contacted = () => {
      contact = Date.now();
      setLeft(null);
    };
    onAuthenticatedResponse(() => {
      contacted();
      tabs?.postMessage('contact');
    });
    if (tabs) tabs.onmessage = contacted;

    const tick = () => {
      const idle = Date.now() - contact;
      if (idle >= limit) {
        onTimeout();
      } else if (idle >= limit - WARN_BEFORE_MS) {
        setLeft(limit - idle);
      } else if (idle > Math.min(PING_MS, limit / 3) && input > contact && !pinging) {
        pinging = true;
        touchSession()
          .catch(() => {})
          .finally(() => {
            pinging = false;
          });
      }
    };
    const onInput = () => {
      input = Date.now();
    };
    const events = ['pointerdown', 'keydown', 'scroll'] as const;
    for (const name of events) window.addEventListener(name, onInput, { passive: true });
    // Timers stop while the computer sleeps, so check when the page becomes visible.
    document.addEventListener('visibilitychange', tick);
    const timer = setInterval(tick, TICK_MS);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
      for (const name of events) window.removeEventListener(name, onInput);
      onAuthenticatedResponse(() => {});
      tabs?.close();
      setLeft(null);
    };
  }, [idleMinutes, onTimeout]);

  return left;
}
