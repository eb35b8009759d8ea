/**
 * The time held in this tab, which the sign-in page shows. Session storage keeps it
 * across a reload: without the secret, users would find their own time taken.
 */

const STORAGE_KEY = 'held-time';

interface Choice {
  doctorId: string;
  date: string;
  time: string;
}

export interface ActiveHold extends Choice {
  until: string;
  /** The secret id of the hold. */
  holdId: string;
  /** When this time was first held, in milliseconds. */
  heldSince: number;
}

let activeHold: ActiveHold | null = restoreHold();

export function setActiveHold(hold: ActiveHold | null): void {
  activeHold = hold;
  try {
    if (hold) window.sessionStorage.setItem(STORAGE_KEY, JSON.stringify(hold));
    else window.sessionStorage.removeItem(STORAGE_KEY);
  } catch {
    // Without storage the hold is known until the page is closed.
  }
}

/** Return the hold of this tab. */
export function getActiveHold(): ActiveHold | null {
  return activeHold;
}

/** Return until when a time is (or, if `isOver`, was) held; null if it never was. */
export function activeHoldTime(
  { doctorId, date, time }: Choice,
  now: number,
): { until: string; isOver: boolean } | null {
  if (activeHold?.doctorId !== doctorId || activeHold.date !== date || activeHold.time !== time)
    return null;
  return { until: activeHold.until, isOver: Date.parse(activeHold.until) <= now };
}

function restoreHold(): ActiveHold | null {
  try {
    const hold: ActiveHold | null = JSON.parse(
      window.sessionStorage.getItem(STORAGE_KEY) ?? 'null',
    );
    return hold && Date.parse(hold.until) > Date.now() ? hold : null;
  } catch {
    return null;
  }
}
