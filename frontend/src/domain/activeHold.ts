/**
 * The time that is held for the person in this tab, so that sign-in can say so. Session storage keeps it
 * through a reload on the way to sign-in: without the secret, people would find their own time taken.
 */

const STORAGE_KEY = 'held-time';

interface Choice {
  doctorId: string;
  date: string;
  time: string;
}

export interface ActiveHold extends Choice {
  until: string;
  /** The secret of the hold. */
  holdId: string;
  /** When this time was first held, in milliseconds. */
  since: number;
}

let kept: ActiveHold | null = restoreKept();

export function setActiveHold(held: ActiveHold | null): void {
  kept = held;
  try {
    if (held) window.sessionStorage.setItem(STORAGE_KEY, JSON.stringify(held));
    else window.sessionStorage.removeItem(STORAGE_KEY);
  } catch {
    // Without storage the hold is known as long as the page lives.
  }
}

/** Return the hold that this tab knows of. */
export function getActiveHold(): ActiveHold | null {
  return kept;
}

/** Return until when a time is held, or was held if `isOver`; null where it never was. */
export function heldTime(
  { doctorId, date, time }: Choice,
  now: number,
): { until: string; isOver: boolean } | null {
  if (kept?.doctorId !== doctorId || kept.date !== date || kept.time !== time) return null;
  return { until: kept.until, isOver: Date.parse(kept.until) <= now };
}

function restoreKept(): ActiveHold | null {
  try {
    const held: ActiveHold | null = JSON.parse(
      window.sessionStorage.getItem(STORAGE_KEY) ?? 'null',
    );
    return held && Date.parse(held.until) > Date.now() ? held : null;
  } catch {
    return null;
  }
}
