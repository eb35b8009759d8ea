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
  heldSince: number;
}

let activeHold: ActiveHold | null = restoreHold();

export function setActiveHold(hold: ActiveHold | null): void {
  activeHold = hold;
  try {
    if (hold) window.sessionStorage.setItem(STORAGE_KEY, JSON.stringify(hold));
    else window.sessionStorage.removeItem(STORAGE_KEY);
  } catch {
    // Without storage the hold is known as long as the page lives.
  }
}

/** Return the hold that this tab knows of. */
export function getActiveHold(): ActiveHold | null {
  return activeHold;
}

/** Return until when a time is held, or was held if `isOver`; null where it never was. */
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
