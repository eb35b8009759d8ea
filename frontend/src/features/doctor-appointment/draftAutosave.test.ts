import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { setToken } from '@/api/token';
import type { AppointmentFile, AppointmentRecord, Draft, DraftContent } from '@/api/types';
import { apiError, apiResponse, ok } from '@/testing/apiResponses';
import { makeAppointment } from '@/testing/appointments';
import { createDraftAutosave, DraftAutosave, PAUSE_MS } from './draftAutosave';

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
const rest = () => vi.advanceTimersByTimeAsync(PAUSE_MS);
const state = (keeper: DraftAutosave) => keeper.keeping().state;

test('what is typed is saved once the typing rests, and the next save follows the last', async () => {
  const keeper = new DraftAutosave('ana', file());
  keeper.type(words('F'));
  await vi.advanceTimersByTimeAsync(PAUSE_MS - 1);
  keeper.type(words('Flu'));
  expect(sent).toEqual([]);
  await rest();
  expect(sent).toEqual([{ content: words('Flu'), revision: 0 }]);
  expect(keeper.keeping()).toMatchObject({ state: 'kept', savedAt: '2026-12-08T19:02:00Z' });
  keeper.type(words('Flu, mild'));
  expect(keeper.unsaved).toBe(true);
  await rest();
  expect(sent[1]).toEqual({ content: words('Flu, mild'), revision: 1 });
});

test('typing it back to what is saved saves nothing', async () => {
  const keeper = new DraftAutosave('ana', file());
  keeper.type(words('x'));
  keeper.type(words(''));
  await rest();
  expect(sent).toEqual([]);
  expect(keeper.unsaved).toBe(false);
});

test('without a connection it is kept and tried again until it is saved', async () => {
  staged = [lost, lost];
  const keeper = new DraftAutosave('ana', file());
  keeper.type(words('Flu'));
  await rest();
  expect(state(keeper)).toBe('offline');
  keeper.type(words('Flu, mild'));
  await vi.advanceTimersByTimeAsync(3000);
  expect(state(keeper)).toBe('offline');
  await vi.advanceTimersByTimeAsync(6000);
  expect(state(keeper)).toBe('kept');
  expect(sent.at(-1)).toEqual({ content: words('Flu, mild'), revision: 0 });
});

test('the browser’s word that the connection is back is a reason to try at once', async () => {
  staged = [lost];
  const keeper = createDraftAutosave(
    'ana',
    file({ appointment: makeAppointment({ _id: 'online' }) }),
  );
  keeper.type(words('Flu'));
  await rest();
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  expect(state(keeper)).toBe('kept');
});

test('a save whose answer was lost is no conflict', async () => {
  staged = [lost, changed(draft(words('Flu'), 1))];
  const keeper = new DraftAutosave('ana', file());
  keeper.type(words('Flu'));
  await rest();
  await vi.advanceTimersByTimeAsync(3000);
  expect(state(keeper)).toBe('kept');
  keeper.type(words('Flu, mild'));
  await rest();
  expect(sent.at(-1)?.revision).toBe(1);
});

test('a draft written elsewhere waits for a decision: go on with mine', async () => {
  staged = [changed(draft(words('Cold'), 4))];
  const keeper = new DraftAutosave('ana', file());
  keeper.type(words('Flu'));
  await rest();
  expect(keeper.keeping()).toMatchObject({
    state: 'conflict',
    other: { kind: 'draft', content: words('Cold') },
  });
  // Typing goes on meanwhile and overwrites nothing.
  keeper.type(words('Flu, mild'));
  await rest();
  expect(sent).toHaveLength(1);
  keeper.keepMine();
  await vi.advanceTimersByTimeAsync(0);
  expect(sent[1]).toEqual({ content: words('Flu, mild'), revision: 4 });
  expect(state(keeper)).toBe('kept');
});

test('the other version can be taken, and one’s own taken back', async () => {
  staged = [changed(draft(words('Cold'), 4))];
  const keeper = new DraftAutosave('ana', file());
  keeper.type(words('Flu'));
  await rest();
  keeper.takeOther();
  expect(keeper.text).toEqual(words('Cold'));
  expect(keeper.fresh).toBe(1);
  keeper.takeBack();
  expect(keeper.text).toEqual(words('Flu'));
  await rest();
  expect(sent.at(-1)).toEqual({ content: words('Flu'), revision: 4 });
});

test('a draft that is gone meanwhile is started over', async () => {
  staged = [changed(null)];
  const keeper = new DraftAutosave('ana', file({ draft: draft(words('F'), 3) }));
  keeper.type(words('Flu'));
  await rest();
  await vi.advanceTimersByTimeAsync(10);
  expect(sent.map((each) => each.revision)).toEqual([3, 0]);
  expect(state(keeper)).toBe('kept');
});

test('a refusal says why and is not repeated until one types', async () => {
  staged = [() => apiError(400, 'invalid', 'Too long.')];
  const keeper = new DraftAutosave('ana', file());
  keeper.type(words('Flu'));
  await rest();
  expect(keeper.keeping()).toMatchObject({ state: 'refused', problem: 'Too long.' });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toHaveLength(1);
  keeper.type(words('Fl'));
  await rest();
  expect(state(keeper)).toBe('kept');
});

test('no draft arrives after the record, and what was typed meanwhile becomes a new one', async () => {
  const keeper = new DraftAutosave('ana', file());
  keeper.type(words('Flu'));
  await keeper.hold();
  await rest();
  expect(sent).toEqual([]);
  keeper.type(words('Flu, mild'));
  keeper.recorded({ ...blank, diagnosis: 'Flu', version: 1 });
  await rest();
  expect(sent).toEqual([{ content: words('Flu, mild'), revision: 0 }]);
  expect(keeper.version).toBe(1);
});

test('the record that changed meanwhile: mine follows its version', async () => {
  const keeper = new DraftAutosave('ana', file());
  keeper.type(words('Flu'));
  await keeper.hold();
  keeper.recordChanged({ ...blank, diagnosis: 'Cold', version: 2 });
  expect(keeper.keeping().other?.kind).toBe('record');
  keeper.keepMine();
  await vi.advanceTimersByTimeAsync(0);
  expect(keeper.version).toBe(2);
  expect(keeper.text).toEqual(words('Flu'));
});

test('who comes back finds what could not be saved, and it is saved then', async () => {
  const appointment = file({ appointment: makeAppointment({ _id: 'back' }) });
  staged = [lost];
  const keeper = createDraftAutosave('ana', appointment);
  keeper.enter();
  keeper.type(words('Flu'));
  await keeper.leave();
  expect(state(keeper)).toBe('offline');
  const again = createDraftAutosave('ana', appointment);
  expect(again.text).toEqual(words('Flu'));
  await vi.advanceTimersByTimeAsync(0);
  expect(state(again)).toBe('kept');
});

test('what one doctor typed is not sent in another’s name, nor shown to them', async () => {
  const appointment = file({ appointment: makeAppointment({ _id: 'mine' }) });
  const keeper = createDraftAutosave('ana', appointment);
  keeper.type(words('Flu'));
  setToken('token-of-ben');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toEqual([]);
  expect(createDraftAutosave('ben', appointment).text.diagnosis).toBe('');
});

test('a newer version from the server is taken only while nothing is typed', () => {
  const keeper = new DraftAutosave('ana', file());
  const newer = { ...blank, diagnosis: 'Cold', version: 1 };
  keeper.type(words('Flu'));
  keeper.offer(file({ record: newer }));
  expect(keeper.text).toEqual(words('Flu'));
  const idle = new DraftAutosave('ana', file());
  idle.offer(file({ record: newer }));
  expect(idle.text.diagnosis).toBe('Cold');
  expect(idle.fresh).toBe(1);
});

test('a draft thrown away leaves the record', async () => {
  const record = { ...blank, diagnosis: 'Cold', version: 1 };
  const keeper = new DraftAutosave('ana', file({ record, draft: draft(words('Flu'), 2) }));
  await keeper.discard(record);
  expect(keeper.text.diagnosis).toBe('Cold');
  expect(keeper.keeping()).toMatchObject({ state: 'kept', savedAt: null });
});
