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
import { sameContent } from './recordFields';

/** Rest after the last key before what was typed is saved. */
export const PAUSE_MS = 1500;
/** Without a connection it is tried again after this long, then after twice as long. */
const FIRST_RETRY_MS = 3000;
const LAST_RETRY_MS = 30_000;

/** Somebody else, or one's own other window, wrote meanwhile. */
export type Other =
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
  problem: string;
  other: Other | null;
  /** One's own text, set aside for another version. */
  aside: DraftContent | null;
}

/**
 * Keeps what a doctor types about one appointment: in memory at once, on the server a moment later, and
 * in memory still when the page is left or nobody answers. Nothing goes into the browser's storage.
 */
export class DraftAutosave {
  readonly appointmentId: string;
  readonly owner: string;
  /** What stands in the form. */
  text: DraftContent;
  /** The version of the record that it follows. */
  version: number;
  /** Counts what replaced the text from outside: the form resets at each. */
  fresh = 0;

  private shown: AutosaveState;
  private synced: DraftContent;
  private sent: DraftContent | null = null;
  private revision: number;
  private token = getToken();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private retryMs = FIRST_RETRY_MS;
  private running: Promise<void> | null = null;
  private held = false;
  /** How many pages show it; in development React shows each twice. */
  private pages = 0;
  private readonly listeners = new Set<() => void>();

  constructor(owner: string, { appointment, record, draft }: AppointmentFile) {
    this.appointmentId = appointment._id;
    this.owner = owner;
    this.text = draft?.content ?? record;
    this.synced = this.text;
    this.version = record.version;
    this.revision = draft?.revision ?? 0;
    this.shown = {
      state: 'kept',
      savedAt: draft?.savedAt ?? null,
      problem: '',
      other: null,
      aside: null,
    };
  }

  subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  };

  getState = (): AutosaveState => this.shown;

  private show(change: Partial<AutosaveState>) {
    this.shown = { ...this.shown, ...change };
    for (const listener of this.listeners) listener();
  }

  /** Whether something is typed that the server does not have. */
  get unsaved(): boolean {
    return this.shown.state !== 'kept';
  }

  /** The same doctor came back, or the server answered again: take over what is newer. */
  offer({ record, draft }: AppointmentFile): void {
    this.token = getToken();
    if (this.unsaved) {
      void this.flush();
      return;
    }
    const revision = draft?.revision ?? 0;
    const newer =
      record.version > this.version ||
      (record.version === this.version && revision > this.revision);
    if (!newer || this.held) return;
    this.version = record.version;
    this.revision = revision;
    const content = draft?.content ?? record;
    const same = sameContent(content, this.text);
    this.synced = content;
    if (!same) {
      this.text = content;
      this.fresh += 1;
    }
    this.show({ savedAt: draft?.savedAt ?? null });
  }

  /** Take in what is typed, and save it when the typing rests. */
  type(text: DraftContent): void {
    this.text = text;
    this.token = getToken();
    const { state } = this.shown;
    if (state === 'conflict' || this.held) return;
    if (sameContent(text, this.synced) && !this.running) {
      clearTimeout(this.timer);
      if (state !== 'kept') this.show({ state: 'kept', problem: '' });
      return;
    }
    // Without a connection the next try is under way already.
    if (state === 'offline') return;
    if (state !== 'saving') this.show({ state: 'typing', problem: '' });
    this.again(PAUSE_MS);
  }

  private again(ms: number) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.flush(), ms);
  }

  /** Save now what is not saved. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.running ??= this.save().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  private async save(): Promise<void> {
    if (this.held || this.shown.state === 'conflict' || sameContent(this.text, this.synced)) return;
    // What this doctor typed is not sent in somebody else's name; it waits for them to come back.
    if (getToken() === null || getToken() !== this.token) {
      this.show({ state: 'offline' });
      return;
    }
    const content = this.text;
    this.show({ state: this.shown.state === 'offline' ? 'offline' : 'saving' });
    this.sent = content;
    try {
      const draft = await saveDraft(this.appointmentId, content, this.revision);
      this.saved(draft, content);
    } catch (error) {
      this.failed(error);
    }
  }

  private saved(draft: Pick<Draft, 'revision' | 'savedAt'>, content: DraftContent) {
    this.revision = draft.revision;
    this.synced = content;
    this.retryMs = FIRST_RETRY_MS;
    const rest = !sameContent(this.text, content);
    this.show({ state: rest ? 'typing' : 'kept', savedAt: draft.savedAt, problem: '' });
    if (rest) this.again(PAUSE_MS);
  }

  private failed(error: unknown) {
    if (hasCode(error, 'draft_changed')) {
      const theirs = (error.data.draft ?? null) as WireDraft | null;
      const draft = theirs && completeDraft(theirs);
      if (!draft) {
        // It was thrown away, or its words went into the record: this is a first one.
        this.revision = 0;
        this.show({ state: 'typing' });
        this.again(0);
      } else if (this.sent && sameContent(draft.content, this.sent)) {
        // The server has it from a try whose answer was lost.
        this.saved(draft, this.sent);
      } else {
        this.show({ state: 'conflict', other: { kind: 'draft', content: draft.content, draft } });
      }
      return;
    }
    if (error instanceof ApiError && !error.isOutage) {
      this.show({ state: 'refused', problem: messageOf(error, 'The draft could not be saved') });
      return;
    }
    this.show({ state: 'offline' });
    this.again(this.retryMs);
    this.retryMs = Math.min(2 * this.retryMs, LAST_RETRY_MS);
  }

  /** The connection is back, as far as the browser can tell. */
  online(): void {
    if (this.shown.state !== 'offline') return;
    this.retryMs = FIRST_RETRY_MS;
    void this.flush();
  }

  /** Before the record itself is written: no draft may arrive after it. */
  async hold(): Promise<void> {
    this.held = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** The record was not written: go on keeping the draft. */
  release(): void {
    this.held = false;
    this.type(this.text);
  }

  /** The record is written, and the draft with it gone. */
  recorded(record: AppointmentRecord): void {
    this.held = false;
    this.version = record.version;
    this.revision = 0;
    this.synced = record;
    this.show({ state: 'kept', savedAt: null, problem: '', other: null, aside: null });
    this.type(this.text);
  }

  /** The record that was to be written has changed meanwhile. */
  recordChanged(record: AppointmentRecord): void {
    this.held = false;
    this.show({ state: 'conflict', other: { kind: 'record', content: record, record } });
  }

  /** Follow the other version with what stands here. */
  keepMine(): void {
    const { other } = this.shown;
    if (!other) return;
    this.follow(other);
    this.show({ state: 'typing', other: null });
    this.again(0);
  }

  /** Take the other version; what stood here is set aside and can be taken back. */
  takeOther(): void {
    const { other } = this.shown;
    if (!other) return;
    const aside = this.text;
    this.follow(other);
    this.synced = other.content;
    this.replace(other.content);
    this.show({
      state: 'kept',
      other: null,
      aside,
      savedAt: other.kind === 'draft' ? other.draft.savedAt : null,
    });
  }

  takeBack(): void {
    const { aside } = this.shown;
    if (!aside) return;
    this.show({ aside: null });
    this.replace(aside);
    this.type(aside);
  }

  private follow(other: Other) {
    if (other.kind === 'draft') this.revision = other.draft.revision;
    else this.version = other.record.version;
  }

  private replace(content: DraftContent) {
    this.text = content;
    this.fresh += 1;
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
    this.recorded(record);
  }

  /** The page is shown. */
  enter(): void {
    this.pages += 1;
    autosaves.set(this.appointmentId, this);
  }

  /** The page is left: save at once, and stay in memory only for what cannot be saved. */
  async leave(): Promise<void> {
    this.pages -= 1;
    await this.flush();
    const done = !this.unsaved && !this.shown.aside && this.pages === 0;
    if (done && autosaves.get(this.appointmentId) === this) autosaves.delete(this.appointmentId);
  }

  /** Forget it; nobody will come back for it. */
  end(): void {
    clearTimeout(this.timer);
    this.held = true;
  }
}

const autosaves = new Map<string, DraftAutosave>();

function online() {
  for (const autosave of autosaves.values()) autosave.online();
}

/** Return the autosave of an appointment: the earlier one while it has something to save, else a new one. */
export function createDraftAutosave(owner: string, file: AppointmentFile): DraftAutosave {
  window.addEventListener('online', online);
  for (const [id, autosave] of autosaves) {
    // What one person typed is nobody else's.
    if (autosave.owner === owner) continue;
    autosave.end();
    autosaves.delete(id);
  }
  const { _id } = file.appointment;
  const existing = autosaves.get(_id);
  if (existing) {
    existing.offer(file);
    return existing;
  }
  const autosave = new DraftAutosave(owner, file);
  autosaves.set(_id, autosave);
  return autosave;
}
