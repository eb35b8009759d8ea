import { saveBookingDraft } from '@/api/bookingDraft';
import { getToken } from '@/api/token';
import type { BookingDraft } from '@/api/types';
import { readTabDraft, removeTabDraft, writeTabDraft } from '@/lib/tabDrafts';

/**
 * Save the text typed on the booking page in memory and, so that it survives a reload, in the
 * user's account, or in this tab's storage for visitors.
 */
export type Draft = BookingDraft;

export const EMPTY_DRAFT: Draft = { symptoms: '', notes: '' };
/** The server's limit. */
export const MAX_LENGTH = 2000;
const SAVE_AFTER_MS = 800;

/** The id of the signed-in user, or null for a visitor. */
type Owner = string | null;

const drafts = new Map<string, { owner: Owner; draft: Draft }>();

/**
 * Return the draft for this doctor. A visitor's draft becomes that of
 * the user who signs in; a user's draft is shown to nobody else.
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

/** Return whether there is a draft for this doctor since the page was loaded. */
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

/** Remove the draft from memory, but not from storage. */
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
  /** The token of the author's session; no other session may send the draft. */
  token: string | null;
  timer: ReturnType<typeof setTimeout>;
}

const pendingSaves = new Map<string, PendingSave>();
/** Saves run one after the other, so that the latest text wins. */
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

/** Save unsaved text now. With `isClosing` the page is going away, so do not wait for earlier saves. */
export function saveNow(doctorId: string, isClosing = false): void {
  const save = pendingSaves.get(doctorId);
  cancelSave(doctorId);
  if (!save || isTooLong(save.draft)) return;
  const send = async () => {
    if (save.token === null || save.token !== getToken()) return;
    // Ignore outages while the user is typing; the text stays on the page.
    await saveBookingDraft(doctorId, save.draft, isClosing).catch(() => {});
  };
  lastSave = isClosing ? send() : lastSave.then(send);
}

/** Wait for pending saves: after booking, a late one would restore the draft. */
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
