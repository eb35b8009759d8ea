import { holdTime, releaseHold } from '@/api/appointments';
import { hasCode } from '@/api/errors';
import type { FreeTime } from '@/api/types';
import { getActiveHold, setActiveHold } from '@/domain/activeHold';

/**
 * Hold the chosen time while the form is filled. The hold lives outside the page: it stays through the
 * way to sign-in and back, and through a reload there.
 */

/** Renew this long after the last response, if the page is in use. The server holds for longer. */
const RENEW_MS = 150_000;
/** The server holds one time no longer than this, however often it is renewed. */
const MAX_HOLD_MS = 30 * 60_000;

const ACTIVITY_EVENTS = ['pointerdown', 'keydown', 'input', 'scroll'] as const;
const REFUSAL_CODES = ['slot_taken', 'time_not_offered', 'patient_busy'];
/** It was held for long enough, or the network holds as much as it may. The time is free all the same. */
const HOLD_LIMIT_CODES = ['hold_paused', 'network_share_taken'];

export interface DoctorSlot {
  doctorId: string;
  date: string;
  time: string;
}

export type HoldState =
  /** Nothing is promised: not requested yet, or without a response. Booking works all the same. */
  | { state: 'none' }
  /** `respondBy`: the reply deadline of a request that is booked now; null when it is confirmed at once. */
  | { state: 'held'; until: string; respondBy: string | null }
  /** It was held, and is not any more; it may well be free. */
  | { state: 'expired' }
  /** It can't be held now, but it is free. */
  | { state: 'unheld' }
  /** The person has booked this very time already. */
  | { state: 'booked'; appointmentId: string }
  | { state: 'refused'; code: string; message: string; alternatives: FreeTime[] };

interface Hold extends DoctorSlot {
  holdId: string;
  /** When this time was first held. */
  heldSince: number;
}

let currentHold: Hold | null = getActiveHold();

/** One call after the other: the server knows one hold a person, and the later request counts. */
let queue: Promise<unknown> = Promise.resolve();

function enqueue(job: () => Promise<unknown>): void {
  queue = queue.then(job).catch(() => {});
}

function isSameSlot(a: DoctorSlot | null, b: DoctorSlot): boolean {
  return a?.doctorId === b.doctorId && a.date === b.date && a.time === b.time;
}

/** The secret of the hold, for booking and for the list of free times of this doctor. */
export function holdIdFor(doctorId: string): string | undefined {
  return currentHold?.doctorId === doctorId ? currentHold.holdId : undefined;
}

/** The hold is used up, or gone: there is nothing to give back. */
export function clearHold(): void {
  currentHold = null;
  setActiveHold(null);
}

/** Give the time back. The hold of a call under way is waited for, unless the page is closing. */
export function releaseActiveHold(isClosing = false): void {
  const job = async () => {
    const hold = currentHold;
    clearHold();
    if (hold) await releaseHold(hold.holdId);
  };
  if (isClosing) void job().catch(() => {});
  else enqueue(job);
}

/**
 * Hold a time from now on and report the state, until the returned function is called. The hold itself
 * stays then: the next one moves it, `releaseActiveHold` ends it.
 */
export function startHold(slot: DoctorSlot, onChange: (state: HoldState) => void): () => void {
  const heldSince = isSameSlot(currentHold, slot)
    ? (currentHold?.heldSince ?? Date.now())
    : Date.now();
  let isStopped = false;
  let isRequesting = false;
  let isRefused = false;
  /** The person has done something since the last response. */
  let isActive = false;
  let renewAt = Number.POSITIVE_INFINITY;
  let until = Number.POSITIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const request = () => {
    isRequesting = true;
    enqueue(async () => {
      if (isStopped) return;
      try {
        const { date, time, doctorId } = slot;
        const { holdId, expiresAt, respondBy } = await holdTime({
          doctorId,
          appointmentDate: date,
          appointmentTime: time,
          ...(currentHold && { holdId: currentHold.holdId }),
        });
        currentHold = { ...slot, holdId, heldSince };
        if (isStopped) return;
        until = Date.parse(expiresAt);
        // A clock that is far off would promise nonsense, so nothing is promised then.
        const isPlausible = until > Date.now();
        if (!isPlausible) until = Number.POSITIVE_INFINITY;
        setActiveHold(isPlausible ? { ...currentHold, until: expiresAt } : null);
        onChange(isPlausible ? { state: 'held', until: expiresAt, respondBy } : { state: 'none' });
      } catch (error) {
        if (isStopped) return;
        if (hasCode(error, 'already_booked')) {
          isRefused = true;
          releaseActiveHold();
          onChange({ state: 'booked', appointmentId: String(error.data.appointmentId) });
          return;
        }
        if (hasCode(error, ...REFUSAL_CODES)) {
          isRefused = true;
          // A hold of another time is of no use any more.
          releaseActiveHold();
          const alternatives = (error.data.alternatives ?? []) as FreeTime[];
          onChange({ state: 'refused', code: error.code, message: error.message, alternatives });
          return;
        }
        if (hasCode(error, ...HOLD_LIMIT_CODES)) onChange({ state: 'unheld' });
      } finally {
        isRequesting = false;
      }
      isActive = false;
      renewAt = Date.now() + Math.min(RENEW_MS, Math.max(0, until - Date.now()) / 2);
      update();
    });
  };

  /** Expire or renew the hold if it is time, and set a timer for the next change. */
  const update = () => {
    clearTimeout(timer);
    if (isStopped || isRequesting || isRefused) return;
    const now = Date.now();
    if (now >= until) {
      until = Number.POSITIVE_INFINITY;
      onChange({ state: 'expired' });
    }
    if (now >= renewAt && now < heldSince + MAX_HOLD_MS && isActive && !document.hidden) {
      request();
      return;
    }
    const next = Math.min(until, renewAt > now ? renewAt : Number.POSITIVE_INFINITY);
    if (next < Number.POSITIVE_INFINITY) timer = setTimeout(update, next - now);
  };

  const onActivity = () => {
    isActive = true;
    if (Date.now() >= renewAt) update();
  };
  const onVisible = () => {
    // Timers sleep with the computer.
    if (!document.hidden) isActive = true;
    update();
  };
  const onHide = () => releaseActiveHold(true);
  // Back through the browser's cache: the page lives on, its hold does not.
  const onShow = (event: PageTransitionEvent) => {
    if (event.persisted && !isRefused && Date.now() < heldSince + MAX_HOLD_MS) request();
  };

  for (const name of ACTIVITY_EVENTS) window.addEventListener(name, onActivity, { passive: true });
  document.addEventListener('visibilitychange', onVisible);
  window.addEventListener('pagehide', onHide);
  window.addEventListener('pageshow', onShow);
  if (Date.now() < heldSince + MAX_HOLD_MS) request();
  else onChange({ state: 'expired' });

  return () => {
    isStopped = true;
    clearTimeout(timer);
    for (const name of ACTIVITY_EVENTS) window.removeEventListener(name, onActivity);
    document.removeEventListener('visibilitychange', onVisible);
    window.removeEventListener('pagehide', onHide);
    window.removeEventListener('pageshow', onShow);
  };
}
