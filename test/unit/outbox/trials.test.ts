import { beforeEach, describe, expect, test } from 'vitest';
import { findDue, pendingEvents, publishPending } from '#lib/outbox/outbox';
import { relayEvents } from '#lib/outbox/relay';
import { backOff, noteFailure } from '#lib/outbox/trials';
import { outboxKey } from '#lib/table/keys';
import { put, remove } from '#lib/table/write';
import { DAY_MS } from '#lib/time';
import { NOON, openTestTable } from '../support/engine.ts';
import { FAILED, leaveInOutbox, openTestBus } from '../support/event-bus.ts';
import { eventItem } from '../support/items.ts';
import { logLines } from '../support/log-lines.ts';

const { table, runtime, clock } = await openTestTable();
const bus = await openTestBus();
logLines();

const relay = () => relayEvents({ ...runtime, publish: bus.publish });
const refuseAll = () =>
  bus.script((entries) => ({ FailedEntryCount: entries.length, Entries: entries.map(() => FAILED) }));
const acceptAll = () => bus.script(() => undefined);

beforeEach(async () => {
  for (const { id } of await pendingEvents(table)) await remove(table, outboxKey(id));
});

const event = eventItem(1);
const MINUTE = 60_000;

test('a failed attempt is noted in the event, with what the bus said and when the next is due', async () => {
  await leaveInOutbox(table, event);
  clock.time = NOON + MINUTE;
  refuseAll();
  await relay();
  const noted = { attempts: 1, lastError: 'ThrottlingException', nextAttemptAt: clock.time + 50_000 };
  expect(await pendingEvents(table)).toEqual([{ ...event, ...noted }]);
});

test('an error of the whole call is noted by its name and message, in 300 characters at most', async () => {
  const large = eventItem(1, { detail: { text: 'x'.repeat(257 * 1024) } });
  await leaveInOutbox(table, large);
  clock.time = NOON + MINUTE;
  await relay();
  const [{ lastError = '' } = {}] = await pendingEvents(table);
  expect(lastError).toMatch(/^ValidationException: /);
  expect(lastError.length).toBeLessThanOrEqual(300);
});

test.each([
  [1, 50],
  [2, 100],
  [3, 200],
  [4, 400],
  [5, 800],
  [6, 900],
  [99, 900],
])('after %i failed attempts an event waits %i s', (attempts, seconds) => {
  expect(backOff(attempts)).toBe(seconds * 1000);
});

test('an event counts no attempt before its time, and waits longer after each failure', async () => {
  await leaveInOutbox(table, event);
  refuseAll();
  const countedAt: number[] = [];
  for (let minute = 1; minute <= 20; minute++) {
    clock.time = NOON + minute * MINUTE;
    if ((await relay()).failed > 0) countedAt.push(minute);
  }
  expect(countedAt).toEqual([1, 2, 4, 8, 15]);
  expect(await pendingEvents(table)).toMatchObject([{ attempts: 5 }]);
});

test('an event of an older version, without attempts, is read on', async () => {
  const { id, detailType, createdAt } = event;
  await put(table, outboxKey(id), { id, detailType, createdAt, detail: '{"n":1}' });
  expect(await pendingEvents(table)).toEqual([event]);
  clock.time = NOON + MINUTE;
  expect(await relay()).toMatchObject({ published: 1, pending: 0 });
  expect(bus.details()).toEqual([[{ n: 1 }]]);
});

test('a failure brings back no event that its request has published meanwhile', async () => {
  await noteFailure(table, event, 'down', NOON);
  await noteFailure(table, event, 'down', NOON + DAY_MS);
  expect(await pendingEvents(table)).toEqual([]);
});

describe('an event that fails for 24 hours', () => {
  const failAt = async (time: number) => {
    clock.time = time;
    refuseAll();
    return relay();
  };

  test('is tried until then', async () => {
    await leaveInOutbox(table, event);
    expect(await failAt(NOON + DAY_MS - 1)).toMatchObject({ failed: 1, pending: 1, setAside: 0 });
  });

  test('is set aside, never dropped: it is listed, counted, and tried no more', async () => {
    await leaveInOutbox(table, event);
    expect(await failAt(NOON + DAY_MS)).toEqual({
      published: 0,
      failed: 1,
      pending: 0,
      oldestPendingSeconds: 0,
      setAside: 1,
    });
    const aside = { ...event, attempts: 1, lastError: 'ThrottlingException', setAsideAt: NOON + DAY_MS };
    expect(await pendingEvents(table)).toEqual([aside]);
    bus.calls.length = 0;
    acceptAll();
    clock.time += DAY_MS;
    expect(await relay()).toMatchObject({ published: 0, pending: 0, setAside: 1 });
    expect(bus.calls).toEqual([]);
  });

  test('is published when an operator asks for it, and gone', async () => {
    await leaveInOutbox(table, event);
    await failAt(NOON + DAY_MS);
    acceptAll();
    expect(await publishPending(table, bus.publish, await pendingEvents(table))).toEqual([]);
    expect(bus.details().at(-1)).toEqual([{ n: 1 }]);
    expect(await pendingEvents(table)).toEqual([]);
    expect(await relay()).toMatchObject({ setAside: 0 });
  });
});

test('events that fail, wait or are set aside hold up no other, however many come before it', async () => {
  const poison = Array.from({ length: 19 }, (_, index) => eventItem(index + 1));
  for (const each of poison) await leaveInOutbox(table, each);
  clock.time = NOON + MINUTE;
  refuseAll();
  await relay();
  const good = eventItem(99, { createdAt: clock.time });
  await leaveInOutbox(table, good);
  clock.time += 20_000;
  bus.script((entries) => ({
    FailedEntryCount: entries.length,
    Entries: entries.map(({ Detail }) => (Detail === '{"n":99}' ? { EventId: 'accepted' } : FAILED)),
  }));
  bus.calls.length = 0;
  expect(await relay()).toMatchObject({ published: 1, failed: 0, pending: 19 });
  expect(bus.details().slice(1)).toEqual([[{ n: 99 }]]);
});

test('of more events than a sweep takes it finds the oldest, and leaves the others as they are', async () => {
  for (const n of [4, 2, 3, 1]) await leaveInOutbox(table, eventItem(n));
  const { due, waiting, setAside } = await findDue(table, NOON, 3);
  expect(due.map(({ detail }) => detail)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  expect([...waiting, ...setAside]).toEqual([]);
  expect(await pendingEvents(table)).toHaveLength(4);
});
