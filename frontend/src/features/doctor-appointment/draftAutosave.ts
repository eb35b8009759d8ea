import { t } from '@lingui/core/macro';
import { ApiError, hasCode, messageOf } from '@/api/errors';
import { completeDraft, deleteDraft, saveDraft } from '@/api/records';
import { getToken } from '@/api/token';
import type {
  AppointmentFile,
  AppointmentRecord,
  Draft,
  DraftContent,
  WireDraft,
} from '@/api/types';
import { hasSameContent } from './recordFields';

/** The pause in typing before the draft is saved. */
export const TYPING_PAUSE_MS = 1500;
/** The delay of the first retry while offline; it doubles each time. */
const FIRST_RETRY_MS = 3000;
const LAST_RETRY_MS = 30_000;

/** A version saved by somebody else or in another window. */
export type OtherVersion =
  | { kind: 'draft'; content: DraftContent; draft: Draft }
  | { kind: 'record'; content: AppointmentRecord; record: AppointmentRecord };

/** The state of saving. */
export interface AutosaveState {
  state:
    | 'kept' // everything is saved
    | 'typing'
    | 'saving'
    | 'offline' // no response; will be retried
    | 'refused' // the server refused; see `error`
    | 'conflict'; // `otherVersion` awaits a decision
  /** When the draft was last saved; null without a draft. */
  savedAt: string | null;
  error: string;
  otherVersion: OtherVersion | null;
  /** One's own content, replaced by another version. */
  replacedContent: DraftContent | null;
}

/**
 * Saves what a doctor types about one appointment: in memory immediately, on the server after a pause, and
 * keeps it in memory when the page is left or the server is unreachable. Nothing is stored in the browser.
 */
export class DraftAutosave {
  readonly appointmentId: string;
  readonly owner: string;
  /** The content of the form. */
  content: DraftContent;
  /** The version of the record it is based on. */
  version: number;
  /** Counts external replacements of the content; the form resets at each. */
  resetCount = 0;

  private status: AutosaveState;
  private syncedContent: DraftContent;
  private sentContent: DraftContent | null = null;
  private revision: number;
  private token = getToken();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private retryMs = FIRST_RETRY_MS;
  private runningSave: Promise<void> | null = null;
  private isOnHold = false;
  /** How many pages show it; in development React mounts each twice. */
  private pageCount = 0;
  private readonly listeners = new Set<() => void>();

  constructor(owner: string, { appointment, record, draft }: AppointmentFile) {
    this.appointmentId = appointment._id;
    this.owner = owner;
    this.content = draft?.content ?? record;
    this.syncedContent = this.content;
    this.version = record.version;
    this.revision = draft?.revision ?? 0;
    this.status = {
      state: 'kept',
      savedAt: draft?.savedAt ?? null,
      error: '',
      otherVersion: null,
      replacedContent: null,
    };
  }

  subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  };

  getState = (): AutosaveState => this.status;

  private setStatus(change: Partial<AutosaveState>) {
    this.status = { ...this.status, ...change };
    for (const listener of this.listeners) listener();
  }

  /** Whether there is unsaved content. */
  get hasUnsaved(): boolean {
    return this.status.state !== 'kept';
  }

  /** Take over newer data when the page is opened again or refetched. */
  update({ record, draft }: AppointmentFile): void {
    this.token = getToken();
    if (this.hasUnsaved) {
      void this.flush();
      return;
    }
    const revision = draft?.revision ?? 0;
    const newer =
      record.version > this.version ||
      (record.version === this.version && revision > this.revision);
    if (!newer || this.isOnHold) return;
    this.version = record.version;
    this.revision = revision;
    const content = draft?.content ?? record;
    const same = hasSameContent(content, this.content);
    this.syncedContent = content;
    if (!same) {
      this.content = content;
      this.resetCount += 1;
    }
    this.setStatus({ savedAt: draft?.savedAt ?? null });
  }

  /** Store the typed content, and save it after a pause. */
  change(content: DraftContent): void {
    this.content = content;
    this.token = getToken();
    const { state } = this.status;
    if (state === 'conflict' || this.isOnHold) return;
    if (hasSameContent(content, this.syncedContent) && !this.runningSave) {
      clearTimeout(this.timer);
      if (state !== 'kept') this.setStatus({ state: 'kept', error: '' });
      return;
    }
    // While offline a retry is already scheduled.
    if (state === 'offline') return;
    if (state !== 'saving') this.setStatus({ state: 'typing', error: '' });
    this.schedule(TYPING_PAUSE_MS);
  }

  private schedule(ms: number) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.flush(), ms);
  }

  /** Save unsaved content now. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.runningSave ??= this.save().finally(() => {
      this.runningSave = null;
    });
    return this.runningSave;
  }

  private async save(): Promise<void> {
    if (
      this.isOnHold ||
      this.status.state === 'conflict' ||
      hasSameContent(this.content, this.syncedContent)
    )
      return;
    // Never send one doctor's content in another's session; it waits for the author.
    if (getToken() === null || getToken() !== this.token) {
      this.setStatus({ state: 'offline' });
      return;
    }
    const content = this.content;
    this.setStatus({ state: this.status.state === 'offline' ? 'offline' : 'saving' });
    this.sentContent = content;
    try {
      const draft = await saveDraft(this.appointmentId, content, this.revision);
      this.onSaved(draft, content);
    } catch (error) {
      this.onFailed(error);
    }
  }

  private onSaved(draft: Pick<Draft, 'revision' | 'savedAt'>, content: DraftContent) {
    this.revision = draft.revision;
    this.syncedContent = content;
    this.retryMs = FIRST_RETRY_MS;
    const rest = !hasSameContent(this.content, content);
    this.setStatus({ state: rest ? 'typing' : 'kept', savedAt: draft.savedAt, error: '' });
    if (rest) this.schedule(TYPING_PAUSE_MS);
  }

  private onFailed(error: unknown) {
    if (hasCode(error, 'draft_changed')) {
      const theirs = (error.data.draft ?? null) as WireDraft | null;
      const draft = theirs && completeDraft(theirs);
      if (!draft) {
        // The draft was discarded or became the record: start a new one.
        this.revision = 0;
        this.setStatus({ state: 'typing' });
        this.schedule(0);
      } else if (this.sentContent && hasSameContent(draft.content, this.sentContent)) {
        // The server already has it from a request whose response was lost.
        this.onSaved(draft, this.sentContent);
      } else {
        this.setStatus({
          state: 'conflict',
          otherVersion: { kind: 'draft', content: draft.content, draft },
        });
      }
      return;
    }
    if (error instanceof ApiError && !error.isOutage) {
      this.setStatus({ state: 'refused', error: messageOf(error, t`We couldn’t save the draft`) });
      return;
    }
    this.setStatus({ state: 'offline' });
    this.schedule(this.retryMs);
    this.retryMs = Math.min(2 * this.retryMs, LAST_RETRY_MS);
  }

  /** Retry when the browser reports a connection. */
  onOnline(): void {
    if (this.status.state !== 'offline') return;
    this.retryMs = FIRST_RETRY_MS;
    void this.flush();
  }

  /** Stop saving before the record is saved: no draft may arrive after it. */
  async hold(): Promise<void> {
    this.isOnHold = true;
    clearTimeout(this.timer);
    await this.runningSave;
  }

  /** Resume saving if the record was not saved. */
  release(): void {
    this.isOnHold = false;
    this.change(this.content);
  }

  /** The record was saved, which deletes the draft. */
  onRecordSaved(record: AppointmentRecord): void {
    this.isOnHold = false;
    this.version = record.version;
    this.revision = 0;
    this.syncedContent = record;
    this.setStatus({
      state: 'kept',
      savedAt: null,
      error: '',
      otherVersion: null,
      replacedContent: null,
    });
    this.change(this.content);
  }

  /** The record was changed by somebody else. */
  onRecordConflict(record: AppointmentRecord): void {
    this.isOnHold = false;
    this.setStatus({
      state: 'conflict',
      otherVersion: { kind: 'record', content: record, record },
    });
  }

  /** Keep one's own content, based on the other version. */
  keepMine(): void {
    const { otherVersion } = this.status;
    if (!otherVersion) return;
    this.follow(otherVersion);
    this.setStatus({ state: 'typing', otherVersion: null });
    this.schedule(0);
  }

  /** Take the other version; one's own content can be restored. */
  takeOther(): void {
    const { otherVersion } = this.status;
    if (!otherVersion) return;
    const replacedContent = this.content;
    this.follow(otherVersion);
    this.syncedContent = otherVersion.content;
    this.replace(otherVersion.content);
    this.setStatus({
      state: 'kept',
      otherVersion: null,
      replacedContent,
      savedAt: otherVersion.kind === 'draft' ? otherVersion.draft.savedAt : null,
    });
  }

  restoreMine(): void {
    const { replacedContent } = this.status;
    if (!replacedContent) return;
    this.setStatus({ replacedContent: null });
    this.replace(replacedContent);
    this.change(replacedContent);
  }

  private follow(other: OtherVersion) {
    if (other.kind === 'draft') this.revision = other.draft.revision;
    else this.version = other.record.version;
  }

  private replace(content: DraftContent) {
    this.content = content;
    this.resetCount += 1;
  }

  /** Discard the draft and start from the record. */
  async discard(record: AppointmentRecord): Promise<void> {
    await this.hold();
    try {
      await deleteDraft(this.appointmentId);
    } catch (error) {
      this.release();
      throw error;
    }
    this.replace(record);
    this.onRecordSaved(record);
  }

  /** The page is shown. */
  mount(): void {
    this.pageCount += 1;
    autosaves.set(this.appointmentId, this);
  }

  /** Save when the page is left, and stay in memory only if that fails. */
  async unmount(): Promise<void> {
    this.pageCount -= 1;
    await this.flush();
    const isDone = !this.hasUnsaved && !this.status.replacedContent && this.pageCount === 0;
    if (isDone && autosaves.get(this.appointmentId) === this) autosaves.delete(this.appointmentId);
  }

  /** Stop saving for good. */
  dispose(): void {
    clearTimeout(this.timer);
    this.isOnHold = true;
  }
}

const autosaves = new Map<string, DraftAutosave>();

function onOnline() {
  for (const autosave of autosaves.values()) autosave.onOnline();
}

/** Return the autosave of an appointment: the earlier one while it has something to save, else a new one. */
export function createDraftAutosave(owner: string, file: AppointmentFile): DraftAutosave {
  window.addEventListener('online', onOnline);
  for (const [id, autosave] of autosaves) {
    // Never show one doctor's content to another.
    if (autosave.owner === owner) continue;
    autosave.dispose();
    autosaves.delete(id);
  }
  const { _id } = file.appointment;
  const existing = autosaves.get(_id);
  if (existing) {
    existing.update(file);
    return existing;
  }
  const autosave = new DraftAutosave(owner, file);
  autosaves.set(_id, autosave);
  return autosave;
}
