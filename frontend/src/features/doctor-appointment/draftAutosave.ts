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

/** Rest after the last key before what was typed is saved. */
export const TYPING_PAUSE_MS = 1500;
/** Without a connection it is tried again after this long, then after twice as long. */
const FIRST_RETRY_MS = 3000;
const LAST_RETRY_MS = 30_000;

/** Somebody else, or one's own other window, wrote meanwhile. */
export type OtherVersion =
  | { kind: 'draft'; content: DraftContent; draft: Draft }
  | { kind: 'record'; content: AppointmentRecord; record: AppointmentRecord };

/** Whether what is typed has been saved. */
export interface AutosaveState {
  state:
    | 'kept' // nothing typed that the server does not have
    | 'typing'
    | 'saving'
    | 'offline' // nobody answers; it is tried again
    | 'refused' // the server says no; `problem` says why
    | 'conflict'; // `other` waits for a decision
  /** When the draft was saved last; null while there is none beyond the record. */
  savedAt: string | null;
  error: string;
  otherVersion: OtherVersion | null;
  /** One's own text, set aside for another version. */
  replacedContent: DraftContent | null;
}

/**
 * Keeps what a doctor types about one appointment: in memory at once, on the server a moment later, and
 * in memory still when the page is left or nobody answers. Nothing goes into the browser's storage.
 */
export class DraftAutosave {
  readonly appointmentId: string;
  readonly owner: string;
  /** What stands in the form. */
  content: DraftContent;
  /** The version of the record that it follows. */
  version: number;
  /** Counts what replaced the text from outside: the form resets at each. */
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
  /** How many pages show it; in development React shows each twice. */
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

  /** Whether something is typed that the server does not have. */
  get hasUnsaved(): boolean {
    return this.status.state !== 'kept';
  }

  /** The same doctor came back, or the server answered again: take over what is newer. */
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

  /** Take in what is typed, and save it when the typing rests. */
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
    // Without a connection the next try is under way already.
    if (state === 'offline') return;
    if (state !== 'saving') this.setStatus({ state: 'typing', error: '' });
    this.schedule(TYPING_PAUSE_MS);
  }

  private schedule(ms: number) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.flush(), ms);
  }

  /** Save now what is not saved. */
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
    // What this doctor typed is not sent in somebody else's name; it waits for them to come back.
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
        // It was thrown away, or its words went into the record: this is a first one.
        this.revision = 0;
        this.setStatus({ state: 'typing' });
        this.schedule(0);
      } else if (this.sentContent && hasSameContent(draft.content, this.sentContent)) {
        // The server has it from a try whose answer was lost.
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
      this.setStatus({ state: 'refused', error: messageOf(error, 'The draft could not be saved') });
      return;
    }
    this.setStatus({ state: 'offline' });
    this.schedule(this.retryMs);
    this.retryMs = Math.min(2 * this.retryMs, LAST_RETRY_MS);
  }

  /** The connection is back, as far as the browser can tell. */
  onOnline(): void {
    if (this.status.state !== 'offline') return;
    this.retryMs = FIRST_RETRY_MS;
    void this.flush();
  }

  /** Before the record itself is written: no draft may arrive after it. */
  async hold(): Promise<void> {
    this.isOnHold = true;
    clearTimeout(this.timer);
    await this.runningSave;
  }

  /** The record was not written: go on keeping the draft. */
  release(): void {
    this.isOnHold = false;
    this.change(this.content);
  }

  /** The record is written, and the draft with it gone. */
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

  /** The record that was to be written has changed meanwhile. */
  onRecordConflict(record: AppointmentRecord): void {
    this.isOnHold = false;
    this.setStatus({
      state: 'conflict',
      otherVersion: { kind: 'record', content: record, record },
    });
  }

  /** Follow the other version with what stands here. */
  keepMine(): void {
    const { otherVersion } = this.status;
    if (!otherVersion) return;
    this.follow(otherVersion);
    this.setStatus({ state: 'typing', otherVersion: null });
    this.schedule(0);
  }

  /** Take the other version; what stood here is set aside and can be taken back. */
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

  /** Throw the draft away and start from the record. */
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

  /** The page is left: save at once, and stay in memory only for what cannot be saved. */
  async unmount(): Promise<void> {
    this.pageCount -= 1;
    await this.flush();
    const isDone = !this.hasUnsaved && !this.status.replacedContent && this.pageCount === 0;
    if (isDone && autosaves.get(this.appointmentId) === this) autosaves.delete(this.appointmentId);
  }

  /** Forget it; nobody will come back for it. */
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
    // What one person typed is nobody else's.
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
