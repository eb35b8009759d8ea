/** The time that is kept for whoever is at this page, so that sign-in can say so. In memory alone. */

interface Choice {
  doctorId: string;
  date: string;
  time: string;
}

let kept: (Choice & { until: string }) | null = null;

export function noteKept(now: typeof kept): void {
  kept = now;
}

/** Until when a time is kept; null where it is not, or not any more. */
export function keptUntil({ doctorId, date, time }: Choice, now: number): string | null {
  const same = kept?.doctorId === doctorId && kept.date === date && kept.time === time;
  return kept && same && Date.parse(kept.until) > now ? kept.until : null;
}
