import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { apiError, apiResponse, ok, stubApi } from '@/testing/apiResponses';
import { clearHold, type HoldState, holdIdFor, releaseActiveHold, startHold } from './hold';

const TEN = { doctorId: 'd1', date: '2026-12-08', time: '10:00' };
const ELEVEN = { ...TEN, time: '11:00' };
const START = new Date('2026-12-07T06:00:00Z').getTime();
const MINUTE = 60_000;

let hidden = false;
let stop = () => {};

beforeEach(() => {
  vi.useFakeTimers({ now: START });
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => hidden);
});
afterEach(() => {
  stop();
  stop = () => {};
  hidden = false;
  clearHold();
  vi.useRealTimers();
});

/** A server that holds every time for five minutes, thirty in all, unless `hold` replies otherwise. */
function server(hold?: () => Response | Error) {
  let count = 0;
  const holdForFiveMinutes = () => {
    count += 1;
    const expiresAt = new Date(Math.min(Date.now() + 5 * MINUTE, START + 30 * MINUTE));
    return ok({ holdId: `secret-${count}`, expiresAt: expiresAt.toISOString(), doctorId: 'd1' });
  };
  const replies: Record<string, () => Response | Error> = {
    'POST /appointments/hold': hold ?? holdForFiveMinutes,
  };
  for (let at = 1; at < 20; at += 1) {
    replies[`DELETE /appointments/hold/secret-${at}`] = () => ok({});
  }
  const spy = stubApi(replies);
  return {
    holdForFiveMinutes,
    sent: () =>
      spy.mock.calls.map(([input, init]) => {
        const { appointmentTime: time, holdId } = JSON.parse(String(init?.body ?? '{}'));
        return init?.method === 'DELETE'
          ? `release ${String(input).split('/').pop()}`
          : `hold ${time}${holdId ? ` with ${holdId}` : ''}`;
      }),
    init: () => spy.mock.lastCall?.[1],
  };
}

const wait = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
const interact = () => window.dispatchEvent(new Event('keydown'));

function start(slot = TEN) {
  const states: HoldState[] = [];
  stop = startHold(slot, (state) => states.push(state));
  return states;
}

it('keeps the hold when the sign-in page is reloaded', async () => {
  const { sent } = server();
  start();
  await wait();
  stop();
  vi.resetModules();
  const reloaded = await import('./hold');
  stop = reloaded.startHold(TEN, () => {});
  await wait();
  expect(sent()).toEqual(['hold 10:00', 'hold 10:00 with secret-1']);
  reloaded.clearHold();
  vi.resetModules();
  expect((await import('./hold')).holdIdFor('d1')).toBeUndefined();
});

it('holds the time and reports its expiry', async () => {
  const { sent } = server();
  const states = start();
  await wait();
  expect(sent()).toEqual(['hold 10:00']);
  expect(states).toEqual([{ state: 'held', until: '2026-12-07T06:05:00.000Z' }]);
  expect(holdIdFor('d1')).toBe('secret-1');
  expect(holdIdFor('d2')).toBeUndefined();
});

it('renews after two and a half minutes, only if the page is in use', async () => {
  const { sent } = server();
  const states = start();
  await wait(MINUTE);
  interact();
  await wait(MINUTE);
  expect(sent()).toHaveLength(1);
  await wait(MINUTE);
  expect(sent()).toEqual(['hold 10:00', 'hold 10:00 with secret-1']);
  expect(states.at(-1)).toEqual({ state: 'held', until: '2026-12-07T06:07:30.000Z' });
});

it('lets the hold expire without activity, and requests it again after activity', async () => {
  const { sent } = server();
  const states = start();
  await wait(6 * MINUTE);
  expect(sent()).toHaveLength(1);
  expect(states.at(-1)).toEqual({ state: 'expired' });
  interact();
  await wait();
  expect(sent()).toHaveLength(2);
  expect(states.at(-1)).toMatchObject({ state: 'held' });
});

it('does not renew for a hidden page', async () => {
  const { sent } = server();
  start();
  await wait();
  hidden = true;
  interact();
  await wait(4 * MINUTE);
  expect(sent()).toHaveLength(1);
  hidden = false;
  document.dispatchEvent(new Event('visibilitychange'));
  await wait();
  expect(sent()).toHaveLength(2);
});

it('stops requesting after thirty minutes in total', async () => {
  const { sent } = server();
  const states = start();
  for (let minute = 0; minute < 45; minute += 1) {
    interact();
    await wait(MINUTE);
  }
  const asked = sent().length;
  expect(asked).toBeGreaterThan(8);
  expect(asked).toBeLessThan(16);
  expect(states.filter(({ state }) => state === 'expired')).toHaveLength(1);
  expect(states.at(-1)).toEqual({ state: 'expired' });
  // Nor does coming back to the page start over.
  stop();
  expect(start()).toEqual([{ state: 'expired' }]);
  await wait(MINUTE);
  expect(sent()).toHaveLength(asked);
});

it('moves the hold to another time, one request after the other', async () => {
  const { sent } = server();
  const first = start();
  stop();
  const second = start(ELEVEN);
  await wait();
  expect(first).toEqual([]);
  expect(sent()).toEqual(['hold 11:00']);
  stop();
  start(TEN);
  await wait();
  expect(sent()).toEqual(['hold 11:00', 'hold 10:00 with secret-1']);
  expect(second).toHaveLength(1);
});

it('releases a hold whose request is still pending', async () => {
  const { sent } = server();
  start();
  await wait();
  stop();
  start(ELEVEN);
  releaseActiveHold();
  stop();
  await wait();
  expect(sent().at(-1)).toMatch(/^release/);
  expect(holdIdFor('d1')).toBeUndefined();
});

it('reuses the hold when the page comes back from sign-in', async () => {
  const { sent } = server();
  start();
  await wait(MINUTE);
  stop();
  await wait(MINUTE);
  const states = start();
  await wait();
  expect(sent()).toEqual(['hold 10:00', 'hold 10:00 with secret-1']);
  expect(states).toEqual([{ state: 'held', until: '2026-12-07T06:07:00.000Z' }]);
});

it('releases the hold when the page closes, with a keepalive request', async () => {
  const { sent, init } = server();
  start();
  await wait();
  window.dispatchEvent(new Event('pagehide'));
  await wait();
  expect(sent().at(-1)).toBe('release secret-1');
  expect(init()?.keepalive).toBe(true);
});

it('reports a refusal with the nearest times, releases the old hold and stops requesting', async () => {
  const alternatives = [{ date: '2026-12-08', time: '12:00', startsAt: '2026-12-08T17:00:00Z' }];
  let taken = false;
  const refuse = () =>
    apiResponse(409, { code: 'slot_taken', message: 'Taken.', data: { alternatives } });
  const { sent, holdForFiveMinutes } = server(() => (taken ? refuse() : holdForFiveMinutes()));
  start();
  await wait();
  stop();
  taken = true;
  const states = start(ELEVEN);
  await wait();
  expect(states).toEqual([
    { state: 'refused', code: 'slot_taken', message: 'Taken.', alternatives },
  ]);
  expect(sent()).toEqual(['hold 10:00', 'hold 11:00 with secret-1', 'release secret-1']);
  interact();
  await wait(10 * MINUTE);
  expect(sent()).toHaveLength(3);
});

it.each([
  ['nobody answers', () => new TypeError('no network')],
  ['too much is held', () => apiError(429, 'too_many')],
])('reports nothing when %s', async (_, reply) => {
  server(reply);
  const states = start();
  await wait(MINUTE);
  expect(states).toEqual([]);
  expect(holdIdFor('d1')).toBeUndefined();
});

it('reports no hold if the clock is far off', async () => {
  server(() => ok({ holdId: 'secret-1', expiresAt: '2026-12-07T05:00:00Z' }));
  const states = start();
  await wait(MINUTE);
  expect(states).toEqual([{ state: 'none' }]);
  expect(holdIdFor('d1')).toBe('secret-1');
});
