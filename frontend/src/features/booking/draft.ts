/** What was typed for a visit. It lives in memory alone: such words don't belong in storage. */
export interface Draft {
  symptoms: string;
  notes: string;
}

const EMPTY: Draft = { symptoms: '', notes: '' };

/** Whose words they are: the id of the signed-in person, or null for somebody not signed in yet. */
type Owner = string | null;

const drafts = new Map<string, { owner: Owner; draft: Draft }>();

/**
 * What this person typed for a visit with this doctor. Words typed signed out become those of who
 * signs in next; words of one person are shown to nobody else, signed in or out.
 */
export function readDraft(doctorId: string, reader: Owner): Draft {
  const kept = drafts.get(doctorId);
  if (!kept || (kept.owner !== null && kept.owner !== reader)) return EMPTY;
  kept.owner = reader;
  return kept.draft;
}

export function keepDraft(doctorId: string, owner: Owner, draft: Draft): void {
  drafts.set(doctorId, { owner, draft });
}

export function dropDraft(doctorId: string): void {
  drafts.delete(doctorId);
}
