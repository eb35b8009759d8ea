import { holdTime, releaseHold } from '@/api/appointments';
import { hasCode } from '@/api/errors';
import type { FreeTime } from '@/api/types';
import { getActiveHold, setActiveHold } from '@/domain/activeHold';

/**
 * Keep the chosen time while the form is filled. The hold lives outside the page: it stays through the
 * way to sign-in and back, and through a reload there.
 */

/** Renew this long after the last answer, if the page is in use. The server keeps for longer. */
const RENEW_MS = 150_000;
/** The server keeps one time no longer than this, however often it is renewed. */
const LONGEST_MS = 30 * 60_000;

const USE = ['pointerdown', 'keydown', 'input', 'scroll'] as const;
const REFUSALS = ['slot_taken', 'time_not_offered', 'patient_busy'];
/** It was held for long enough, or the network holds as much as it may. The time is free all the same. */
const NOT_HELD = ['hold_paused', 'network_share_taken'];

export interface Wanted {
  doctorId: string;
  date: string;
  time: string;
}

export type Keeping =
  /** Nothing is promised: not asked yet, or nobody answered. Booking works all the same. */
  | { state: 'none' }
  /** `respondBy`: the reply deadline of a request that is booked now; null when it is confirmed at once. */
  | { state: 'kept'; until: string; respondBy: string | null }
  /** It was kept, and is not any more; it may well be free. */
  | { state: 'over' }
  /** It can't be kept now, but it is free. */
  | { state: 'unheld' }
  /** The person has booked this very time already. */
  | { state: 'booked'; appointmentId: string }
  | { state: 'refused'; code: string; message: string; alternatives: FreeTime[] };

interface Standing extends Wanted {
  holdId: string;
  /** When this time was first kept. */
  since: number;
}

let standing: Standing | null = getActiveHold();

/** One call after the other: the server knows one hold a person, and the later wish counts. */
let turn: Promise<unknown> = Promise.resolve();

function inTurn(job: () => Promise<unknown>): void {
  turn = turn.then(job).catch(() => {});
}

function isSame(one: Wanted | null, other: Wanted): boolean {
  return one?.doctorId === other.doctorId && one.date === other.date && one.time === other.time;
}

/** The secret of the hold, for booking and for the list of free times of this doctor. */
export function holdIdFor(doctorId: string): string | undefined {
  return standing?.doctorId === doctorId ? standing.holdId : undefined;
}

/** The hold is used up, or gone: there is nothing to give back. */
export function clearHold(): void {
  standing = null;
  setActiveHold(null);
}

/** Give the time back. The hold of a call under way is waited for, unless the page is closing. */
export function releaseActiveHold(closing = false): void {
  const job = async () => {
    const held = standing;
    clearHold();
    if (held) await releaseHold(held.holdId);
  };
  if (closing) void job().catch(() => {});
  else inTurn(job);
}

/**
 * Keep a time from now on and say how that goes, until the returned function is called. What is
 * kept then stays so: the next wish moves it, `releaseActiveHold` ends it.
 */
export function keepTime(wanted: Wanted, report: (keeping: Keeping) => void): () => void {
  const since = isSame(standing, wanted) ? (standing?.since ?? Date.now()) : Date.now();
  let stopped = false;
  let asking = false;
  let refused = false;
  /** The person has done something since the last answer. */
  let used = false;
  let renewAt = Number.POSITIVE_INFINITY;
  let until = Number.POSITIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const ask = () => {
    asking = true;
    inTurn(async () => {
      if (stopped) return;
      try {
        const { date, time, doctorId } = wanted;
        const { holdId, expiresAt, respondBy } = await holdTime({
          doctorId,
          appointmentDate: date,
          appointmentTime: time,
          ...(standing && { holdId: standing.holdId }),
        });
        standing = { ...wanted, holdId, since };
        if (stopped) return;
        until = Date.parse(expiresAt);
        // A clock that is far off would promise nonsense, so nothing is promised then.
        const sane = until > Date.now();
        if (!sane) until = Number.POSITIVE_INFINITY;
        setActiveHold(sane ? { ...standing, until: expiresAt } : null);
        report(sane ? { state: 'kept', until: expiresAt, respondBy } : { state: 'none' });
      } catch (error) {
        if (stopped) return;
        if (hasCode(error, 'already_booked')) {
          refused = true;
          releaseActiveHold();
          report({ state: 'booked', appointmentId: String(error.data.appointmentId) });
          return;
        }
        if (hasCode(error, ...REFUSALS)) {
          refused = true;
          // A hold of another time is of no use any more.
          releaseActiveHold();
          const alternatives = (error.data.alternatives ?? []) as FreeTime[];
          report({ state: 'refused', code: error.code, message: error.message, alternatives });
          return;
        }
        if (hasCode(error, ...NOT_HELD)) report({ state: 'unheld' });
      } finally {
        asking = false;
      }
      used = false;
      renewAt = Date.now() + Math.min(RENEW_MS, Math.max(0, until - Date.now()) / 2);
      look();
    });
  };

  /** Do what the clock and the person's doings ask for, then sleep until the next time to look. */
  const look = () => {
    clearTimeout(timer);
    if (stopped || asking || refused) return;
    const now = Date.now();
    if (now >= until) {
      until = Number.POSITIVE_INFINITY;
      report({ state: 'over' });
    }
    if (now >= renewAt && now < since + LONGEST_MS && used && !document.hidden) {
      ask();
      return;
    }
    const next = Math.min(until, renewAt > now ? renewAt : Number.POSITIVE_INFINITY);
    if (next < Number.POSITIVE_INFINITY) timer = setTimeout(look, next - now);
  };

  const onUse = () => {
    used = true;
    if (Date.now() >= renewAt) look();
  };
  const onVisible = () => {
    // Timers sleep with the computer.
    if (!document.hidden) used = true;
    look();
  };
  const onHide = () => releaseActiveHold(true);
  // Back through the browser's cache: the page lives on, its hold does not.
  const onShow = (event: PageTransitionEvent) => {
    if (event.persisted && !refused && Date.now() < since + LONGEST_MS) ask();
  };

  for (const name of USE) window.addEventListener(name, onUse, { passive: true });
  document.addEventListener('visibilitychange', onVisible);
  window.addEventListener('pagehide', onHide);
  window.addEventListener('pageshow', onShow);
  if (Date.now() < since + LONGEST_MS) ask();
  else report({ state: 'over' });

  return () => {
    stopped = true;
    clearTimeout(timer);
    for (const name of USE) window.removeEventListener(name, onUse);
    document.removeEventListener('visibilitychange', onVisible);
    window.removeEventListener('pagehide', onHide);
    window.removeEventListener('pageshow', onShow);
  };
}
