import { beforeEach, expect, test } from 'vitest';
import type { OutboxEvent, Trials } from '#lib/item/outbox-event';
import { findDue, MAX_DUE, pendingEvents, publishPending } from '#lib/outbox/outbox';
import { relayEvents } from '#lib/outbox/relay';
import { backOff, noteFailure, SET_ASIDE_AFTER_MS } from '#lib/outbox/trials';
import { outboxKey } from '#lib/table/keys';
import { put, remove } from '#lib/table/write';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { NOON, openTestTable } from '../support/engine.ts';
import { emptyOutbox, leaveInOutbox, openTestBus } from '../support/event-bus.ts';
import { eventItem } from '../support/items.ts';
import { logLines } from '../support/log-lines.ts';
import { endingPages } from '../table/inputs.ts';

const { table, runtime, clock, operations, wire } = await openTestTable();
const bus = await openTestBus();
const lines = logLines();

const MINUTE = 60_000;
const relay = () => relayEvents({ ...runtime, publish: bus.publish });
const event = eventItem(1);
const at = (createdAt: number, n = 1) => eventItem(n, { createdAt });
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);
const details = (all: readonly number[]) => all.map((n) => ({ n }));
const published = () => bus.details().flat();

/** Stores events, then forgets the requests. */
const leave = async (...events: readonly (OutboxEvent & Trials)[]) => {
  await leaveInOutbox(table, ...events);
  wire.reset();
};
/** Events that wait for their third attempt. */
const waiting = (...all: number[]) =>
  all.map((n) => ({ ...at(NOON + n, n), attempts: 2, lastError: 'down', nextAttemptAt: NOON + 3_600_000 }));

beforeEach(async () => {
  await emptyOutbox(table);
  wire.reset();
  clock.time = NOON + MINUTE;
});

test('relayEvents reads an empty outbox once, and fails when it cannot', async () => {
  expect(await relay()).toMatchObject({ published: 0 });
  expect(operations()).toEqual(['Query']);
  expect(bus.calls).toEqual([]);
  wire.script(() => DOWN);
  await expect(relay()).rejects.toThrow('InternalServerError');
});

test('relayEvents reports and logs its results and the age of the oldest event that is left', async () => {
  await leave(...[1, 2, 3].map((n) => at(NOON + n * 1000, n)));
  clock.time = NOON + 62_900;
  bus.fail((n) => n > 1);
  const sweep = { published: 1, failed: 2, pending: 2, oldestPendingSeconds: 60, setAside: 0 };
  expect(await relay()).toEqual(sweep);
  expect(lines.at(-1)).toMatchObject({ level: 'info', function: 'events.relay-outbox', ...sweep });
  clock.time += 10_000;
  const next = { published: 0, failed: 0, pending: 2, oldestPendingSeconds: 70, setAside: 0 };
  expect(await relay()).toEqual(next);
  bus.fail(() => false);
  clock.time += MINUTE;
  expect(await relay()).toMatchObject({ published: 2, pending: 0, oldestPendingSeconds: 0 });
});

test.each([
  [40_000, 20],
  [40_001, 10],
])('relayEvents begins no batch after 40 s: after %i ms it has published %i', async (duration, expected) => {
  await leave(...numbers(1, 25).map((n) => at(NOON, n)));
  bus.script(async () => {
    clock.time += clock.time === NOON + MINUTE ? duration : 1;
    return undefined;
  });
  expect(await relay()).toMatchObject({ published: expected, failed: 0, pending: 25 - expected });
  bus.script(async () => {
    clock.time += 1000;
    return undefined;
  });
  expect(await relay()).toMatchObject({ published: 25 - expected, pending: 0, oldestPendingSeconds: 0 });
});

test.each<[string, OutboxEvent[], number, string[]]>([
  ['not for events of 5000 ms', [event], 5000, ['Query', 'DeleteItem']],
  ['not for an event of a clock that is ahead', [at(NOON + 5000)], 0, ['Query', 'DeleteItem']],
  ['for an event of 4999 ms', [event], 4999, ['Query', 'Query', 'DeleteItem']],
  ['for the youngest', [at(NOON - 100, 1), at(NOON, 2), at(NOON - MINUTE, 3)], 4990, ['Query', 'Query']],
])('relayEvents waits until requests have had five seconds: %s', async (_what, events, after, expected) => {
  await leave(...events);
  clock.time = NOON + after;
  expect(await relay()).toMatchObject({ published: events.length });
  expect(operations().slice(0, expected.length)).toEqual(expected);
});

test('relayEvents publishes no event that is published or created while it waits', async () => {
  await leave(at(NOON - MINUTE, 1), at(NOON, 2));
  clock.time = NOON + 3800;
  const change = async () => {
    await remove(table, outboxKey(eventItem(2).id));
    await leaveInOutbox(table, at(NOON + 1, 3));
  };
  wire.before('Query', change, 2);
  expect(await relay()).toMatchObject({ published: 1 });
  expect(published()).toEqual(details([1]));
  expect(await pendingEvents(table)).toEqual([at(NOON + 1, 3)]);
});

test('relayEvents records the failure of an event that becomes due while it waits', async () => {
  await leave(event, { ...at(NOON - MINUTE, 2), attempts: 1, nextAttemptAt: NOON + 5000 });
  clock.time = NOON + 4990;
  const pass = async () => {
    clock.time += 10;
  };
  wire.before('Query', pass);
  bus.fail(() => true);
  expect(await relay()).toMatchObject({ failed: 2 });
});

test('relayEvents counts the wait as a part of its 40 s', async () => {
  await leave(event);
  clock.time = NOON + 4990;
  const late = async () => {
    clock.time += 40_001;
  };
  wire.before('Query', late, 2);
  expect(await relay()).toMatchObject({ published: 0, pending: 1 });
});

test('a failed attempt is recorded with its own reason and the time of the next', async () => {
  await leave(event, eventItem(2));
  const Entries = [{ ErrorCode: 'Throttled' }, { ErrorCode: 'InternalFailure' }];
  bus.script(() => ({ FailedEntryCount: 2, Entries }));
  await relay();
  const noted = { attempts: 1, nextAttemptAt: clock.time + backOff(1) };
  expect(await pendingEvents(table)).toEqual([
    { ...event, ...noted, lastError: 'Throttled' },
    { ...eventItem(2), ...noted, lastError: 'InternalFailure' },
  ]);
});

test('a failed attempt makes each next attempt wait longer', async () => {
  expect([1, 2, 3, 4, 5, 6, 99].map(backOff)).toEqual(
    [50, 100, 200, 400, 800, 900, 900].map((seconds) => seconds * 1000),
  );
  await leave(event);
  bus.fail(() => true);
  const attempts: number[] = [];
  for (let minute = 1; minute <= 20; minute++) {
    clock.time = NOON + minute * MINUTE;
    if ((await relay()).failed > 0) attempts.push(minute);
  }
  expect(attempts).toEqual([1, 2, 4, 8, 15]);
  expect(await pendingEvents(table)).toMatchObject([{ attempts: 5 }]);
});

test('a failed attempt does not bring back an event that its request has published meanwhile', async () => {
  for (const time of [NOON, NOON + SET_ASIDE_AFTER_MS]) await noteFailure(table, event, 'down', time);
  expect(await pendingEvents(table)).toEqual([]);
});

test('an event that fails for 24 hours is kept, but not retried until an operator publishes it', async () => {
  const asideAt = NOON + SET_ASIDE_AFTER_MS;
  await leave({ ...event, attempts: 7, lastError: 'down', nextAttemptAt: NOON });
  bus.fail(() => true);
  const sweep = { published: 0, failed: 1, pending: 0, oldestPendingSeconds: 0, setAside: 1 };
  clock.time = asideAt - backOff(8) - 1;
  expect(await relay(), 'not yet').toMatchObject({ failed: 1, pending: 1, setAside: 0 });
  clock.time = asideAt;
  expect(await relay()).toEqual(sweep);
  const aside = { ...event, attempts: 9, lastError: 'ThrottlingException', setAsideAt: asideAt };
  expect(await pendingEvents(table)).toStrictEqual([aside]);
  bus.fail(() => false);
  bus.calls.length = 0;
  clock.time = asideAt + SET_ASIDE_AFTER_MS;
  expect(await relay()).toEqual({ ...sweep, failed: 0 });
  expect(bus.calls).toEqual([]);
  expect(await publishPending(table, bus.publish, await pendingEvents(table))).toEqual([]);
  expect(await relay()).toMatchObject({ setAside: 0 });
});

test('findDue distinguishes due, waiting and dead-lettered events to the millisecond', async () => {
  const tried = (n: number, trials: Trials) => ({ ...eventItem(n), attempts: 1, lastError: 'x', ...trials });
  const events = [
    tried(1, { setAsideAt: NOON }),
    tried(2, { nextAttemptAt: NOON }),
    tried(3, { nextAttemptAt: NOON + 1 }),
  ];
  await leave(...events);
  const { due, waiting, setAside } = await findDue(table, NOON);
  expect([setAside, due, waiting]).toEqual(events.map((each) => [each]));
});

test('findDue reads on past events that wait, until a page of work is full', async () => {
  await leave(...waiting(...numbers(1, 5)), ...numbers(6, 12).map((n) => eventItem(n)));
  wire.script(endingPages(2));
  const { due, waiting: later } = await findDue(table, clock.time, 3);
  expect(due.map(({ detail }) => detail)).toEqual(details([6, 7, 8]));
  expect(later.map(({ detail }) => detail)).toEqual(details(numbers(1, 5)));
  expect(operations()).toEqual(['Query', 'Query', 'Query', 'Query']);
  const { due: first } = await findDue(table, clock.time, 2);
  expect(first.map(({ detail }) => detail)).toEqual(details([6, 7]));
  expect(await pendingEvents(table)).toHaveLength(12);
});

test('relayEvents publishes all others when the detail of an event is damaged', async () => {
  const { detail: _, ...rest } = eventItem(1);
  await put(table, outboxKey(rest.id), { ...rest, detail: '{"n":' });
  await leave(eventItem(2));
  expect(await relay()).toMatchObject({ published: 1, failed: 1, pending: 1 });
  expect(await pendingEvents(table)).toMatchObject([
    { id: rest.id, attempts: 1, lastError: 'MalformedDetail' },
  ]);
});

test('relayEvents publishes at most a page of work', async () => {
  await leave(...waiting(...numbers(1, MAX_DUE + 5)));
  expect(await relay()).toMatchObject({ published: MAX_DUE, pending: 5 });
  expect((await pendingEvents(table)).map(({ detail }) => detail)).toEqual(
    details(numbers(MAX_DUE + 1, MAX_DUE + 5)),
  );
});

test('relayEvents records no failure of an event that is not due', async () => {
  await leave(...waiting(...numbers(1, 15)));
  bus.fail((n) => n === 3 || n === 12);
  expect(await relay()).toMatchObject({ published: 13, failed: 0, pending: 2, oldestPendingSeconds: 59 });
  expect(await pendingEvents(table)).toEqual(waiting(3, 12));
});

test('relayEvents publishes those that are due, and records their failures, wherever they are', async () => {
  await leave(...waiting(...numbers(1, 4), ...numbers(6, 15)), ...[5, 16, 17].map((n) => eventItem(n)));
  bus.fail((n) => n !== 17);
  expect(await relay()).toMatchObject({ published: 1, failed: 2, pending: 16 });
  expect(published()).toEqual(details([...numbers(1, 10), 16, 17]));
  const tried = (await pendingEvents(table)).filter(({ attempts }) => attempts === 1);
  expect(tried.map(({ detail }) => detail)).toEqual(details([5, 16]));
});
