import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { apiError, apiResponse, ok, stubApi } from '@/testing/apiResponses';
import { clearHold, holdIdFor, type Keeping, keepTime, releaseActiveHold } from './hold';

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

/** A server that keeps every time for five minutes, thirty in all, unless it is told to refuse. */
function server(hold?: () => Response | Error) {
  let count = 0;
  const kept = () => {
    count += 1;
    const expiresAt = new Date(Math.min(Date.now() + 5 * MINUTE, START + 30 * MINUTE));
    return ok({ holdId: `secret-${count}`, expiresAt: expiresAt.toISOString(), doctorId: 'd1' });
  };
  const replies: Record<string, () => Response | Error> = {
    'POST /appointments/hold': hold ?? kept,
  };
  for (let at = 1; at < 20; at += 1) {
    replies[`DELETE /appointments/hold/secret-${at}`] = () => ok({});
  }
  const spy = stubApi(replies);
  return {
    kept,
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

const rest = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
const use = () => window.dispatchEvent(new Event('keydown'));

function keep(wanted = TEN) {
  const told: Keeping[] = [];
  stop = keepTime(wanted, (keeping) => told.push(keeping));
  return told;
}

it('keeps its hold when the sign-in page is reloaded', async () => {
  const { sent } = server();
  keep();
  await rest();
  stop();
  vi.resetModules();
  const reloaded = await import('./hold');
  stop = reloaded.keepTime(TEN, () => {});
  await rest();
  expect(sent()).toEqual(['hold 10:00', 'hold 10:00 with secret-1']);
  reloaded.clearHold();
  vi.resetModules();
  expect((await import('./hold')).holdIdFor('d1')).toBeUndefined();
});

it('keeps the time and says until when', async () => {
  const { sent } = server();
  const told = keep();
  await rest();
  expect(sent()).toEqual(['hold 10:00']);
  expect(told).toEqual([{ state: 'kept', until: '2026-12-07T06:05:00.000Z' }]);
  expect(holdIdFor('d1')).toBe('secret-1');
  expect(holdIdFor('d2')).toBeUndefined();
});

it('renews after two and a half minutes of use, and only then', async () => {
  const { sent } = server();
  const told = keep();
  await rest(MINUTE);
  use();
  await rest(MINUTE);
  expect(sent()).toHaveLength(1);
  await rest(MINUTE);
  expect(sent()).toEqual(['hold 10:00', 'hold 10:00 with secret-1']);
  expect(told.at(-1)).toEqual({ state: 'kept', until: '2026-12-07T06:07:30.000Z' });
});

it('lets the time go by when nobody is there, and tries again when somebody is', async () => {
  const { sent } = server();
  const told = keep();
  await rest(6 * MINUTE);
  expect(sent()).toHaveLength(1);
  expect(told.at(-1)).toEqual({ state: 'over' });
  use();
  await rest();
  expect(sent()).toHaveLength(2);
  expect(told.at(-1)).toMatchObject({ state: 'kept' });
});

it('does not renew for a page that is not seen', async () => {
  const { sent } = server();
  keep();
  await rest();
  hidden = true;
  use();
  await rest(4 * MINUTE);
  expect(sent()).toHaveLength(1);
  hidden = false;
  document.dispatchEvent(new Event('visibilitychange'));
  await rest();
  expect(sent()).toHaveLength(2);
});

it('never asks again after thirty minutes in all', async () => {
  const { sent } = server();
  const told = keep();
  for (let minute = 0; minute < 45; minute += 1) {
    use();
    await rest(MINUTE);
  }
  const asked = sent().length;
  expect(asked).toBeGreaterThan(8);
  expect(asked).toBeLessThan(16);
  expect(told.filter(({ state }) => state === 'over')).toHaveLength(1);
  expect(told.at(-1)).toEqual({ state: 'over' });
  // Nor does coming back to the page start over.
  stop();
  expect(keep()).toEqual([{ state: 'over' }]);
  await rest(MINUTE);
  expect(sent()).toHaveLength(asked);
});

it('moves the hold to another time, one call after the other', async () => {
  const { sent } = server();
  const first = keep();
  stop();
  const second = keep(ELEVEN);
  await rest();
  expect(first).toEqual([]);
  expect(sent()).toEqual(['hold 11:00']);
  stop();
  keep(TEN);
  await rest();
  expect(sent()).toEqual(['hold 11:00', 'hold 10:00 with secret-1']);
  expect(second).toHaveLength(1);
});

it('gives back also what is still being asked for', async () => {
  const { sent } = server();
  keep();
  await rest();
  stop();
  keep(ELEVEN);
  releaseActiveHold();
  stop();
  await rest();
  expect(sent().at(-1)).toMatch(/^release/);
  expect(holdIdFor('d1')).toBeUndefined();
});

it('goes on with the hold that stands when the page comes back from sign-in', async () => {
  const { sent } = server();
  keep();
  await rest(MINUTE);
  stop();
  await rest(MINUTE);
  const told = keep();
  await rest();
  expect(sent()).toEqual(['hold 10:00', 'hold 10:00 with secret-1']);
  expect(told).toEqual([{ state: 'kept', until: '2026-12-07T06:07:00.000Z' }]);
});

it('releases when the page closes, with a call that outlives it', async () => {
  const { sent, init } = server();
  keep();
  await rest();
  window.dispatchEvent(new Event('pagehide'));
  await rest();
  expect(sent().at(-1)).toBe('release secret-1');
  expect(init()?.keepalive).toBe(true);
});

it('tells of a refusal with the nearest times, lets the other hold go, and asks no more', async () => {
  const alternatives = [{ date: '2026-12-08', time: '12:00', startsAt: '2026-12-08T17:00:00Z' }];
  let taken = false;
  const refuse = () =>
    apiResponse(409, { code: 'slot_taken', message: 'Taken.', data: { alternatives } });
  const { sent, kept } = server(() => (taken ? refuse() : kept()));
  keep();
  await rest();
  stop();
  taken = true;
  const told = keep(ELEVEN);
  await rest();
  expect(told).toEqual([{ state: 'refused', code: 'slot_taken', message: 'Taken.', alternatives }]);
  expect(sent()).toEqual(['hold 10:00', 'hold 11:00 with secret-1', 'release secret-1']);
  use();
  await rest(10 * MINUTE);
  expect(sent()).toHaveLength(3);
});

it.each([
  ['nobody answers', () => new TypeError('no network')],
  ['too much is held', () => apiError(429, 'too_many')],
])('stays silent when %s', async (_, reply) => {
  server(reply);
  const told = keep();
  await rest(MINUTE);
  expect(told).toEqual([]);
  expect(holdIdFor('d1')).toBeUndefined();
});

it('promises nothing by a clock that is far off', async () => {
  server(() => ok({ holdId: 'secret-1', expiresAt: '2026-12-07T05:00:00Z' }));
  const told = keep();
  await rest(MINUTE);
  expect(told).toEqual([{ state: 'none' }]);
  expect(holdIdFor('d1')).toBe('secret-1');
});
