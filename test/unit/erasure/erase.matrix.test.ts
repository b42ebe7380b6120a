import { expect, test } from 'vitest';
import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { reactivateAccount } from '#lib/account/lifecycle/reactivate';
import { JOB_TIMEOUT_SECONDS } from '#lib/contract/contract';
import { completeErasures } from '#lib/erasure/complete';
import { eraseAccount } from '#lib/erasure/erase';
import { FOREVER } from '#lib/item/account';
import type { Pass } from '#lib/item/pass';
import { pendingEvents } from '#lib/outbox/outbox';
import { readCounters } from '#lib/stats/counters';
import { totalsOf } from '#lib/stats/slices';
import * as keys from '#lib/table/keys';
import { SETTLED_MS } from '#lib/table/pass';
import { get, getAll } from '#lib/table/read';
import { DAY_MS, withoutZone } from '#lib/time';
import { matrix } from '../../matrix.ts';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { by, NOON, openTestTable } from '../support/engine.ts';
import { leaveInOutbox, openTestBus } from '../support/event-bus.ts';
import { eventItem } from '../support/items.ts';
import { logLines } from '../support/log-lines.ts';
import { shortestWaits } from '../support/shortest-waits.ts';
import { leaver, setRaw, tracesIn, wholeTable } from './person.ts';

const bench = await openTestTable({ ErasureAfterDays: '0' });
const { table, runtime: own, account, stored, wire, clock } = bench;
const bus = await openTestBus();
const runtime = { ...own, publish: bus.publish };
const ROOT = by('Root');
const erase = (target: Awaited<ReturnType<typeof account>>, named = target.username) =>
  eraseAccount(runtime, named, target, ROOT);

logLines();
shortestWaits();

/** Whether an item is what remains of an erased account. */
const isRow = (item: object) => (item as keys.Key).PK.startsWith('ERASED#');

async function cancelled(part = {}) {
  const it = await account(part);
  await cancelAccount(own, it, ROOT);
  return stored(it);
}

test('eraseAccount refuses an active account, and one that erases itself', async () => {
  const it = await account();
  await expect(erase(it)).rejects.toMatchObject({ code: 'account_active' });
  await expect(eraseAccount(runtime, it.username, it, by(it.username))).rejects.toMatchObject({
    code: 'self_target',
  });
  await expect(eraseAccount(runtime, 'nobody', undefined, ROOT)).rejects.toMatchObject({
    code: 'account_not_found',
  });
  expect(await stored(it)).toMatchObject(it);
});

/** The same rules where a week passes between the cancellation and the erasure, as by default. */
const week = { ...runtime, settings: { ...runtime.settings, ErasureAfterDays: 7 } };

test('eraseAccount refuses an account that was cancelled in the last days, until they have passed', async () => {
  const it = await cancelled();
  const send = (aside = {}) => eraseAccount(week, it.username, it, ROOT, aside);
  clock.time += 7 * DAY_MS - 1;
  await expect(send()).rejects.toMatchObject({
    code: 'account_cancelled_recently',
    data: { erasable_from: '2026-11-27T12:00:00.000Z' },
    advice: 'It can be erased from 2026-11-27T12:00:00.000Z on.',
  });
  expect(await stored(it)).toEqual(it);
  clock.time += 1;
  expect(await send()).toMatchObject({ changed: true });
});

test('eraseAccount does not wait for the days that an operator sets aside, but for the cancellation', async () => {
  const active = await account();
  await expect(eraseAccount(week, active.username, active, ROOT, { days: true })).rejects.toMatchObject({
    code: 'account_active',
  });
  const it = await cancelled();
  expect(await eraseAccount(week, it.username, it, ROOT, { days: true })).toMatchObject({ changed: true });
});

test('eraseAccount erases an account without a time of its cancellation at once', async () => {
  const it = await cancelled();
  await setRaw(bench, it, { cancelled_at: undefined });
  expect(await eraseAccount(week, it.username, await stored(it), ROOT)).toMatchObject({ changed: true });
});

test('eraseAccount counts the days anew for an account that is reactivated and cancelled meanwhile', async () => {
  const it = await cancelled();
  clock.time += 7 * DAY_MS;
  wire.before('TransactWriteItems', async () => {
    await reactivateAccount(own, it, ROOT);
    await cancelAccount(own, await stored(it), ROOT);
  });
  await expect(eraseAccount(week, it.username, it, ROOT)).rejects.toMatchObject({
    code: 'account_cancelled_recently',
  });
});

test('eraseAccount takes the ID of an erased account before a username of this form', async () => {
  const it = await cancelled();
  const named = await cancelled({ username: it.id });
  const { erased_at } = await erase(it);
  // A repeat, in either spelling.
  for (const path of [it.id, it.id.toUpperCase()])
    expect(await erase(named, path)).toMatchObject({ userid: it.id, erased_at, changed: false });
  expect(await stored(named)).toEqual(named);
});

test('eraseAccount takes the ID of no account that is not erased', async () => {
  const it = await cancelled();
  await expect(eraseAccount(runtime, it.id, undefined, ROOT)).rejects.toMatchObject({
    code: 'account_not_found',
  });
  const named = await cancelled({ username: it.id });
  expect(await erase(named)).toMatchObject({ userid: named.id, changed: true });
  expect(await stored(it)).toEqual(it);
});

test('eraseAccount ends the account at once, and answers repeats by name and ID without a change', async () => {
  const it = await cancelled();
  const expected = {
    userid: it.id,
    erased_at: '2026-11-20T12:00:00.000Z',
    erased_by: 'Root',
    complete: false,
  };
  expect(await erase(it)).toEqual({ ...expected, changed: true });
  expect(await stored(it)).toBeUndefined();
  clock.time += 1000;
  for (const named of [it.username, it.username.toUpperCase(), it.id])
    expect(await eraseAccount(runtime, named, undefined, ROOT)).toEqual({ ...expected, changed: false });
  // The row says by whom, and has no name.
  const rows = tracesIn(await wholeTable(bench), it.id).filter(isRow);
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatchObject({ erased_id: it.id, erased_by: 'Root' });
  expect(tracesIn(rows, it.username)).toEqual([]);
});

test('eraseAccount publishes one event that has the ID and no name', async () => {
  const it = await cancelled({ apps: ['crm'] });
  bus.calls.length = 0;
  await Promise.all(Array.from({ length: 5 }, () => erase(it)));
  const entries = bus.calls.flat().filter(({ DetailType }) => DetailType === 'user_erase');
  const events = entries.map(({ Detail }) => JSON.parse(Detail) as object);
  expect(events).toMatchObject([
    {
      version: '1',
      hook: '[crm].[user_erase]',
      userid: it.id,
      apps: ['crm'],
      transition: 2,
      sequence: 1,
      erased_at: '2026-11-20T12:00:00.000Z',
      requestID: 'request-1',
    },
  ]);
  expect(tracesIn(events, it.username)).toEqual([]);
  expect(bus.faults()).toEqual([]);
});

test('eraseAccount publishes the waiting events of the account first, and those of others that name it', async () => {
  const it = await cancelled();
  const events = [
    { userid: it.id, n: 1 },
    { userid: 'x', cancelled_by: it.username.toUpperCase() },
    { userid: 'y' },
  ].map((detail, n) => eventItem(700 + n, { detail }));
  await leaveInOutbox(table, ...events);
  bus.calls.length = 0;
  bus.script(() => ({ FailedEntryCount: 1, Entries: [{ ErrorCode: 'x' }, { ErrorCode: 'x' }] }));
  await expect(erase(it)).rejects.toMatchObject({ code: 'unavailable' });
  expect(await stored(it)).toEqual(it);
  bus.script(() => undefined);
  bus.calls.length = 0;
  await erase(it);
  expect(bus.calls.map((entries) => entries.map(({ DetailType }) => DetailType))).toEqual([
    expect.arrayContaining(['user_cancel', 'user_cancel']),
    ['user_erase'],
  ]);
  const pending = (await pendingEvents(table)).map(({ id }) => id);
  expect(events.map(({ id }) => pending.includes(id))).toEqual([false, false, true]);
});

test.each([
  ['without a lock', {}],
  ['locked for good', { lockoutend: FOREVER, lock_reason: '' }],
])('eraseAccount uncounts an account %s that was used', async (_, part) => {
  const counts = async () => {
    const slices = (await getAll(table, keys.allSlices)).filter((slice) => slice !== undefined);
    const { activeOn, lockedAt } = totalsOf(slices);
    return { ...(await readCounters(table)), active: activeOn(NOON), until: lockedAt(NOON) };
  };
  const before = await counts();
  const { recordUse } = await import('#lib/auth/activity');
  const { lockAccount } = await import('#lib/account/lifecycle/lock');
  const it = await account();
  await recordUse(own, it);
  if ('lockoutend' in part) await lockAccount(own, await stored(it), ROOT);
  else await lockAccount(own, await stored(it), ROOT, { until: NOON + 60_000 });
  await cancelAccount(own, await stored(it), ROOT);
  expect(await counts()).not.toEqual(before);
  await erase(await stored(it));
  expect(await counts()).toEqual(before);
});

test('eraseAccount erases the account as it is when its activity changes meanwhile', async () => {
  const it = await cancelled();
  wire.before('TransactWriteItems', () =>
    setRaw(bench, it, { lastActivity: withoutZone(NOON - 1), never_used: false }),
  );
  expect(await erase(it)).toMatchObject({ changed: true });
});

test('eraseAccount leaves an account that somebody reactivates meanwhile', async () => {
  const it = await cancelled();
  wire.before('TransactWriteItems', () => reactivateAccount(own, it, ROOT));
  await expect(erase(it)).rejects.toMatchObject({ code: 'account_active' });
  expect(await stored(it)).toMatchObject({ isactive: true });
});

test('a reactivation of an account that is erased meanwhile brings nothing back', async () => {
  const it = await cancelled();
  wire.before('TransactWriteItems', () => erase(it));
  await expect(reactivateAccount(own, it, ROOT)).rejects.toMatchObject({ code: 'account_not_found' });
  expect(await stored(it)).toBeUndefined();
});

const complete = () => completeErasures(runtime, 'run');

test('completeErasures reads nothing without an erasure', async () => {
  // Other tests have erased accounts days later.
  for (clock.time += DAY_MS; (await complete()).left > 0; ) clock.time += DAY_MS;
  wire.reset();
  expect(await complete()).toEqual({ examined: 0, changed: 0, completed: 0, left: 0 });
  expect(bench.operations()).toEqual(['Query']);
});

test('completeErasures leaves no trace, and the pseudonym in what belongs to others', async () => {
  // The erasures of other tests.
  await finish();
  const { it, other } = await leaver(bench, 'zephyrine');
  expect(tracesIn(await wholeTable(bench), 'zephyrine').length).toBeGreaterThan(25);
  await erase(it);
  expect(await complete()).toMatchObject({ completed: 0 });
  clock.time += SETTLED_MS;
  expect((await complete()).completed).toBeGreaterThan(0);
  const items = await wholeTable(bench);
  expect(tracesIn(items, 'zephyrine')).toEqual([]);
  const pseudonym = `erased:${it.id}`;
  const named = tracesIn(items, it.id).filter((item) => !isRow(item));
  const texts = named.map((item) => JSON.stringify(item).replaceAll(pseudonym, '<person>'));
  expect(texts.filter((text) => text.includes(it.id))).toEqual([]);
  const attributes = ['token_created_by', 'code_created_by', 'cancelled_by', 'revoked_by', 'actor', 'target'];
  for (const name of [...attributes, 'source'])
    expect(
      texts.some((text) => text.includes(`"${name}":"<person>"`)),
      name,
    ).toBe(true);
  expect(await eraseAccount(runtime, it.id, undefined, ROOT)).toMatchObject({ complete: true });
  // What belongs to others is there.
  expect(await get(table, keys.accountKey(other.username))).toMatchObject({ token_count: 1 });
  expect(await get(table, keys.tokenNameKey(other.username, 'ci'))).toBeDefined();
  expect(await get(table, keys.erasurePassKey)).toBeUndefined();
});

test('completeErasures completes an erasure only after 15 minutes, and waits for events that name the account', async () => {
  // The erasures of other tests.
  await finish();
  const it = await cancelled();
  await erase(it);
  clock.time += SETTLED_MS - 1;
  expect(await complete()).toMatchObject({ completed: 0, left: 1 });
  clock.time += 1;
  bus.script((entries) => ({
    FailedEntryCount: entries.length,
    Entries: entries.map(() => ({ ErrorCode: 'x' })),
  }));
  await leaveInOutbox(table, eventItem(800, { detail: { userid: it.id } }));
  expect(await complete()).toMatchObject({ completed: 0, left: 1 });
  bus.script(() => undefined);
  expect(await complete()).toMatchObject({ completed: 1, left: 0 });
});

/** Scans the table in pages of three items; the clock goes on by a time at the first. */
function inPages(ms: number): void {
  let pages = 0;
  wire.script((operation, input) => {
    if (operation !== 'Scan') return undefined;
    if (pages++ === 0) clock.time += ms;
    return { input: { ...input, Limit: 3 }, answer: (body) => body };
  });
}
const scans = () => bench.inputs().filter((_, n) => bench.operations()[n] === 'Scan');

test.each([
  ['in the last millisecond of a run', 0, 2],
  ['no more after it', 1, 1],
])('completeErasures begins a page %s', async (_when, late, count) => {
  await finish();
  await erase(await cancelled());
  wire.reset();
  inPages(JOB_TIMEOUT_SECONDS * 1000 - 25_000 + late);
  // Each page takes a second.
  const { now } = runtime;
  const slow = { ...runtime, now: () => (scans().length > 1 ? now() + 1000 : now()) };
  await completeErasures(slow, 'run');
  expect(scans()).toHaveLength(count);
});

test('completeErasures completes no erasure by a pass of several runs that began before it was settled', async () => {
  await finish();
  await erase(await cancelled());
  wire.reset();
  inPages(JOB_TIMEOUT_SECONDS * 1000);
  expect(await complete()).toMatchObject({ examined: 3, completed: 0, left: 1 });
  const stopped = await get(table, keys.erasurePassKey);
  expect(stopped).toMatchObject({ cursor: expect.anything() });
  // The pass ends in time, but what it saw first may have changed since.
  clock.time += SETTLED_MS;
  wire.reset();
  inPages(0);
  expect(await complete()).toMatchObject({ completed: 0, left: 1 });
  const { PK, SK } = (stopped as Pass).cursor as keys.Key;
  expect(scans()[0]).toMatchObject({ ExclusiveStartKey: { PK: { S: PK }, SK: { S: SK } } });
  expect(await get(table, keys.erasurePassKey)).toMatchObject({ began_at: stopped?.began_at });
  wire.reset();
  expect(await complete()).toMatchObject({ completed: 1, left: 0 });
  expect(scans()[0]).not.toHaveProperty('ExclusiveStartKey');
});

/** Runs the job until it says that nothing is left. */
async function finish() {
  for (let runs = 1; ; runs++) {
    clock.time += SETTLED_MS;
    const done = await complete().catch(() => undefined);
    if (done?.left === 0) return runs;
  }
}

/** Requests after which a process is killed. */
const KILLS = Array.from({ length: 20 }, (_, n) => n);

test.each(matrix(KILLS, (n) => n % 5 === 0))(
  'an erasure whose processes are killed after %i more requests each time leaves nothing',
  async (n) => {
    const name = `qu${'abcdefghijklmnopqrst'[n]}xq`;
    const { it } = await leaver(bench, name);
    /** From its request `at` on, a process reaches nothing any more. */
    const killedAt = (at: number) => {
      let sent = 0;
      wire.reset();
      wire.script(() => (sent++ >= at ? DOWN : undefined));
    };
    /** Its request `at` fails, however often it is sent; all others pass. */
    const failingAt = (at: number) => {
      let sent = 0;
      let failed: string | undefined;
      wire.reset();
      wire.script((operation, input) => {
        const text = JSON.stringify([operation, input]);
        if (sent++ === at) failed = text;
        return text === failed ? DOWN : undefined;
      });
    };
    killedAt(n * 2);
    await erase(it).catch(() => undefined);
    wire.reset();
    // One write decides.
    const ended = (await stored(it)) === undefined;
    if (!ended) expect(await stored(it)).toEqual(it);
    if (!ended) await erase(it);
    for (let run = 1; run <= 6; run++) {
      clock.time += SETTLED_MS;
      (run === 1 ? failingAt : killedAt)(n + run * 3);
      await complete().catch(() => undefined);
    }
    wire.reset();
    await finish();
    expect(tracesIn(await wholeTable(bench), name)).toEqual([]);
    expect(await eraseAccount(runtime, it.id, undefined, ROOT)).toMatchObject({ complete: true });
  },
  60_000,
);
