import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { setToken } from '@/api/token';
import type { AppointmentFile, AppointmentRecord, Draft, DraftContent } from '@/api/types';
import { apiError, apiResponse, ok } from '@/testing/apiResponses';
import { makeAppointment } from '@/testing/appointments';
import { createDraftAutosave, DraftAutosave, TYPING_PAUSE_MS } from './draftAutosave';

const blank: AppointmentRecord = {
  version: 0,
  writtenAt: null,
  diagnosis: '',
  notes: '',
  prescription: { notes: '', items: [] },
  followUpDays: null,
};
const file = (changes: Partial<AppointmentFile> = {}): AppointmentFile => ({
  appointment: makeAppointment(),
  record: blank,
  attachments: [],
  draft: null,
  past: [],
  patient: null,
  ...changes,
});
const words = (diagnosis: string): DraftContent => ({
  diagnosis,
  notes: '',
  prescription: { notes: '', items: [] },
  followUpDays: '',
});
const draft = (content: DraftContent, revision: number): Draft => ({
  content,
  revision,
  savedAt: '2026-12-08T19:02:00Z',
});

/** The server: answers in turn what is staged, else it saves. */
let staged: (() => Response | Error)[] = [];
let sent: { content: DraftContent; revision: number }[] = [];
let revision = 0;

beforeEach(() => {
  vi.useFakeTimers();
  setToken('token-of-ana');
  staged = [];
  sent = [];
  revision = 0;
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    if (init.method === 'DELETE') return ok({});
    const body = JSON.parse(String(init.body));
    sent.push(body);
    const reply = staged.shift()?.();
    if (reply instanceof Error) throw reply;
    if (reply) return reply;
    revision = body.revision + 1;
    return ok({ draft: draft(body.content, revision) });
  });
});
afterEach(() => vi.useRealTimers());

const lost = () => new TypeError('Failed to fetch');
const changed = (other: Draft | null) => () =>
  apiResponse(409, { success: false, code: 'draft_changed', message: '', data: { draft: other } });
const rest = () => vi.advanceTimersByTimeAsync(TYPING_PAUSE_MS);
const state = (autosave: DraftAutosave) => autosave.getState().state;

test('saves after a pause in typing, one save after the other', async () => {
  const autosave = new DraftAutosave('ana', file());
  autosave.change(words('F'));
  await vi.advanceTimersByTimeAsync(TYPING_PAUSE_MS - 1);
  autosave.change(words('Flu'));
  expect(sent).toEqual([]);
  await rest();
  expect(sent).toEqual([{ content: words('Flu'), revision: 0 }]);
  expect(autosave.getState()).toMatchObject({ state: 'kept', savedAt: '2026-12-08T19:02:00Z' });
  autosave.change(words('Flu, mild'));
  expect(autosave.hasUnsaved).toBe(true);
  await rest();
  expect(sent[1]).toEqual({ content: words('Flu, mild'), revision: 1 });
});

test('saves nothing if the text is back to its saved state', async () => {
  const autosave = new DraftAutosave('ana', file());
  autosave.change(words('x'));
  autosave.change(words(''));
  await rest();
  expect(sent).toEqual([]);
  expect(autosave.hasUnsaved).toBe(false);
});

test('keeps the text offline and retries until it is saved', async () => {
  staged = [lost, lost];
  const autosave = new DraftAutosave('ana', file());
  autosave.change(words('Flu'));
  await rest();
  expect(state(autosave)).toBe('offline');
  autosave.change(words('Flu, mild'));
  await vi.advanceTimersByTimeAsync(3000);
  expect(state(autosave)).toBe('offline');
  await vi.advanceTimersByTimeAsync(6000);
  expect(state(autosave)).toBe('kept');
  expect(sent.at(-1)).toEqual({ content: words('Flu, mild'), revision: 0 });
});

test('retries immediately when the browser is back online', async () => {
  staged = [lost];
  const autosave = createDraftAutosave(
    'ana',
    file({ appointment: makeAppointment({ _id: 'online' }) }),
  );
  autosave.change(words('Flu'));
  await rest();
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  expect(state(autosave)).toBe('kept');
});

test('reports no conflict if the response of a save was lost', async () => {
  staged = [lost, changed(draft(words('Flu'), 1))];
  const autosave = new DraftAutosave('ana', file());
  autosave.change(words('Flu'));
  await rest();
  await vi.advanceTimersByTimeAsync(3000);
  expect(state(autosave)).toBe('kept');
  autosave.change(words('Flu, mild'));
  await rest();
  expect(sent.at(-1)?.revision).toBe(1);
});

test('reports a conflict with another draft and keeps one’s own on request', async () => {
  staged = [changed(draft(words('Cold'), 4))];
  const autosave = new DraftAutosave('ana', file());
  autosave.change(words('Flu'));
  await rest();
  expect(autosave.getState()).toMatchObject({
    state: 'conflict',
    otherVersion: { kind: 'draft', content: words('Cold') },
  });
  // Typing goes on meanwhile and overwrites nothing.
  autosave.change(words('Flu, mild'));
  await rest();
  expect(sent).toHaveLength(1);
  autosave.keepMine();
  await vi.advanceTimersByTimeAsync(0);
  expect(sent[1]).toEqual({ content: words('Flu, mild'), revision: 4 });
  expect(state(autosave)).toBe('kept');
});

test('takes the other version, and restores one’s own', async () => {
  staged = [changed(draft(words('Cold'), 4))];
  const autosave = new DraftAutosave('ana', file());
  autosave.change(words('Flu'));
  await rest();
  autosave.takeOther();
  expect(autosave.content).toEqual(words('Cold'));
  expect(autosave.resetCount).toBe(1);
  autosave.restoreMine();
  expect(autosave.content).toEqual(words('Flu'));
  await rest();
  expect(sent.at(-1)).toEqual({ content: words('Flu'), revision: 4 });
});

test('starts a new draft if the old one was deleted', async () => {
  staged = [changed(null)];
  const autosave = new DraftAutosave('ana', file({ draft: draft(words('F'), 3) }));
  autosave.change(words('Flu'));
  await rest();
  await vi.advanceTimersByTimeAsync(10);
  expect(sent.map((each) => each.revision)).toEqual([3, 0]);
  expect(state(autosave)).toBe('kept');
});

test('explains a refusal and does not retry until the text changes', async () => {
  staged = [() => apiError(400, 'invalid', 'Too long.')];
  const autosave = new DraftAutosave('ana', file());
  autosave.change(words('Flu'));
  await rest();
  expect(autosave.getState()).toMatchObject({ state: 'refused', error: 'Too long.' });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toHaveLength(1);
  autosave.change(words('Fl'));
  await rest();
  expect(state(autosave)).toBe('kept');
});

test('sends no draft after the record, and saves later text as a new draft', async () => {
  const autosave = new DraftAutosave('ana', file());
  autosave.change(words('Flu'));
  await autosave.hold();
  await rest();
  expect(sent).toEqual([]);
  autosave.change(words('Flu, mild'));
  autosave.onRecordSaved({ ...blank, diagnosis: 'Flu', version: 1 });
  await rest();
  expect(sent).toEqual([{ content: words('Flu, mild'), revision: 0 }]);
  expect(autosave.version).toBe(1);
});

test('continues from the version of a newer record', async () => {
  const autosave = new DraftAutosave('ana', file());
  autosave.change(words('Flu'));
  await autosave.hold();
  autosave.onRecordConflict({ ...blank, diagnosis: 'Cold', version: 2 });
  expect(autosave.getState().otherVersion?.kind).toBe('record');
  autosave.keepMine();
  await vi.advanceTimersByTimeAsync(0);
  expect(autosave.version).toBe(2);
  expect(autosave.content).toEqual(words('Flu'));
});

test('restores unsaved text when the doctor returns, and saves it', async () => {
  const appointment = file({ appointment: makeAppointment({ _id: 'back' }) });
  staged = [lost];
  const autosave = createDraftAutosave('ana', appointment);
  autosave.mount();
  autosave.change(words('Flu'));
  await autosave.unmount();
  expect(state(autosave)).toBe('offline');
  const again = createDraftAutosave('ana', appointment);
  expect(again.content).toEqual(words('Flu'));
  await vi.advanceTimersByTimeAsync(0);
  expect(state(again)).toBe('kept');
});

test('neither sends nor shows one doctor’s text to another', async () => {
  const appointment = file({ appointment: makeAppointment({ _id: 'mine' }) });
  const autosave = createDraftAutosave('ana', appointment);
  autosave.change(words('Flu'));
  setToken('token-of-ben');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toEqual([]);
  expect(createDraftAutosave('ben', appointment).content.diagnosis).toBe('');
});

test('takes a newer server version only if there is no unsaved text', () => {
  const autosave = new DraftAutosave('ana', file());
  const newer = { ...blank, diagnosis: 'Cold', version: 1 };
  autosave.change(words('Flu'));
  autosave.update(file({ record: newer }));
  expect(autosave.content).toEqual(words('Flu'));
  const idle = new DraftAutosave('ana', file());
  idle.update(file({ record: newer }));
  expect(idle.content.diagnosis).toBe('Cold');
  expect(idle.resetCount).toBe(1);
});

test('keeps the record when the draft is discarded', async () => {
  const record = { ...blank, diagnosis: 'Cold', version: 1 };
  const autosave = new DraftAutosave('ana', file({ record, draft: draft(words('Flu'), 2) }));
  await autosave.discard(record);
  expect(autosave.content.diagnosis).toBe('Cold');
  expect(autosave.getState()).toMatchObject({ state: 'kept', savedAt: null });
});
