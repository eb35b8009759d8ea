import { holdTime, releaseHold } from '@/api/appointments';
import { hasCode } from '@/api/errors';
import type { FreeTime } from '@/api/types';
import { getActiveHold, setActiveHold } from '@/domain/activeHold';

/**
 * Hold the selected time while the form is filled in. The hold outlives the page: it stays on the
 * way to sign-in and back, and across a reload there.
 */

/** Renew this long after the last response, if the page is in use. The server holds for longer. */
const RENEW_MS = 150_000;
/** The server holds one time no longer than this, however often it is renewed. */
const MAX_HOLD_MS = 30 * 60_000;

const ACTIVITY_EVENTS = ['pointerdown', 'keydown', 'input', 'scroll'] as const;
const REFUSAL_CODES = ['slot_taken', 'time_not_offered', 'patient_busy'];
/** The user or the network reached the limit of holds. The time is still free. */
const HOLD_LIMIT_CODES = ['hold_paused', 'network_share_taken'];

export interface DoctorSlot {
  doctorId: string;
  date: string;
  time: string;
}

export type HoldState =
  /** Not requested yet, or no response. Booking still works. */
  | { state: 'none' }
  /** `respondBy`: the reply deadline of a request that is booked now; null when it is confirmed at once. */
  | { state: 'held'; until: string; respondBy: string | null }
  /** No longer held, but it may still be free. */
  | { state: 'expired' }
  /** Can't be held now, but is free. */
  | { state: 'unheld' }
  /** The user has already booked this time. */
  | { state: 'booked'; appointmentId: string }
  | { state: 'refused'; code: string; message: string; alternatives: FreeTime[] };

interface Hold extends DoctorSlot {
  holdId: string;
  /** When this time was first held. */
  heldSince: number;
}

let currentHold: Hold | null = getActiveHold();

/** Requests run one after the other: the server keeps one hold per user, and the last request wins. */
let queue: Promise<unknown> = Promise.resolve();

function enqueue(job: () => Promise<unknown>): void {
  queue = queue.then(job).catch(() => {});
}

function isSameSlot(a: DoctorSlot | null, b: DoctorSlot): boolean {
  return a?.doctorId === b.doctorId && a.date === b.date && a.time === b.time;
}

/** Return the hold's secret for booking and for the free times of this doctor. */
export function holdIdFor(doctorId: string): string | undefined {
  return currentHold?.doctorId === doctorId ? currentHold.holdId : undefined;
}

/** Forget the hold, which is used up or gone. */
export function clearHold(): void {
  currentHold = null;
  setActiveHold(null);
}

/** Release the time. Waits for a pending request, unless the page is closing. */
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
 * Hold a time and report its state until the returned function is called. The hold itself
 * stays then: the next one moves it, `releaseActiveHold` releases it.
 */
export function startHold(slot: DoctorSlot, onChange: (state: HoldState) => void): () => void {
  const heldSince = isSameSlot(currentHold, slot)
    ? (currentHold?.heldSince ?? Date.now())
    : Date.now();
  let isStopped = false;
  let isRequesting = false;
  let isRefused = false;
  /** Whether the user was active since the last response. */
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
        // If the user's clock is far off, the expiry would be wrong, so report no hold.
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
          // The hold of another time is no longer useful.
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
    // Timers stop while the computer sleeps.
    if (!document.hidden) isActive = true;
    update();
  };
  const onHide = () => releaseActiveHold(true);
  // Restored from the back/forward cache: the hold was released.
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
