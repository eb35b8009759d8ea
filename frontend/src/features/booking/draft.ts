import { saveBookingDraft } from '@/api/bookingDraft';
import { getToken } from '@/api/token';
import type { BookingDraft } from '@/api/types';
import { readTabDraft, removeTabDraft, writeTabDraft } from '@/lib/tabDrafts';

/**
 * Keep what is typed on the booking page: in memory, and, so that a reload does not lose it, in the
 * account of the person who is signed in, or in this tab's storage for a visitor.
 */
export type Draft = BookingDraft;

export const EMPTY_DRAFT: Draft = { symptoms: '', notes: '' };
/** As much as the server takes. */
export const MAX_LENGTH = 2000;
const SAVE_AFTER_MS = 800;

/** The id of the signed-in person, or null for a visitor. */
type Owner = string | null;

const drafts = new Map<string, { owner: Owner; draft: Draft }>();

/**
 * Return what this person typed for an appointment with this doctor. A visitor's text becomes that of
 * the person who signs in; one person's text is shown to nobody else, signed in or out.
 */
export function readDraft(doctorId: string, reader: Owner): Draft {
  const known = drafts.get(doctorId);
  if (!known) {
    const found = readTabDraft(doctorId);
    return isDraft(found) ? found : EMPTY_DRAFT;
  }
  if (known.owner !== null && known.owner !== reader) return EMPTY_DRAFT;
  known.owner = reader;
  return known.draft;
}

/** Return whether something was typed for this doctor since the page was loaded. */
export function hasDraft(doctorId: string): boolean {
  return drafts.has(doctorId);
}

export function isBlank({ symptoms, notes }: Draft): boolean {
  return !symptoms.trim() && !notes.trim();
}

export function storeDraft(doctorId: string, owner: Owner, draft: Draft): void {
  drafts.set(doctorId, { owner, draft });
  if (owner !== null) {
    removeTabDraft(doctorId);
    saveSoon(doctorId, draft);
  } else if (isBlank(draft) || isTooLong(draft)) removeTabDraft(doctorId);
  else writeTabDraft(doctorId, draft);
}

/** Forget what was typed since the page was loaded, and keep what is stored. */
export function forgetDraft(doctorId: string): void {
  drafts.delete(doctorId);
}

export function deleteDraft(doctorId: string): void {
  forgetDraft(doctorId);
  removeTabDraft(doctorId);
  cancelSave(doctorId);
}

interface PendingSave {
  draft: Draft;
  /** The session in which it was typed: no other one may send it. */
  token: string | null;
  timer: ReturnType<typeof setTimeout>;
}

const pendingSaves = new Map<string, PendingSave>();
/** One save after the other, so that the latest text stays. */
let lastSave: Promise<unknown> = Promise.resolve();

function saveSoon(doctorId: string, draft: Draft): void {
  cancelSave(doctorId);
  const timer = setTimeout(() => saveNow(doctorId), SAVE_AFTER_MS);
  pendingSaves.set(doctorId, { draft, token: getToken(), timer });
}

function cancelSave(doctorId: string): void {
  clearTimeout(pendingSaves.get(doctorId)?.timer);
  pendingSaves.delete(doctorId);
}

/** Save what is not saved yet. `closing`: the page goes away, so nothing is waited for. */
export function saveNow(doctorId: string, isClosing = false): void {
  const save = pendingSaves.get(doctorId);
  cancelSave(doctorId);
  if (!save || isTooLong(save.draft)) return;
  const send = async () => {
    if (save.token === null || save.token !== getToken()) return;
    // An outage is not worth a word while somebody types; the text stays on the page.
    await saveBookingDraft(doctorId, save.draft, isClosing).catch(() => {});
  };
  lastSave = isClosing ? send() : lastSave.then(send);
}

/** Wait until no save is under way: after booking, a late one would bring the draft back. */
export async function waitForSaves(doctorId: string): Promise<void> {
  cancelSave(doctorId);
  await lastSave;
}

function isTooLong({ symptoms, notes }: Draft): boolean {
  return symptoms.length > MAX_LENGTH || notes.length > MAX_LENGTH;
}

function isDraft(value: unknown): value is Draft {
  const draft = value as Partial<Draft> | null;
  return typeof draft?.symptoms === 'string' && typeof draft.notes === 'string';
}
