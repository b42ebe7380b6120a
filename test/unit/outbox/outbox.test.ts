import { beforeEach, expect, test } from 'vitest';
import { occurrenceBy } from '#lib/outbox/announcement';
import { commitWithEvents } from '#lib/outbox/commit';
import { listPending, pendingEventSchema, pendingEvents, publishPending } from '#lib/outbox/outbox';
import { contract as pending } from '#lib/outbox/pending.contract';
import { MAX_ENTRIES } from '#lib/outbox/publisher';
import { outboxKey, teamKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { ConditionFailed, type TransactWrite } from '#lib/table/write';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { by, NOON, openTestTable } from '../support/engine.ts';
import { errorsOf } from '../support/errors-of.ts';
import { emptyOutbox, leaveInOutbox, openTestBus } from '../support/event-bus.ts';
import { eventItem, uuidOf } from '../support/items.ts';
import { logLines } from '../support/log-lines.ts';
import { endingPages } from '../table/inputs.ts';

const { table, runtime, wire, operations } = await openTestTable();
const bus = await openTestBus();
const lines = logLines();

beforeEach(async () => {
  await emptyOutbox(table);
  wire.reset();
});

let names = 0;
/** A write that succeeds once. */
const once = (short = `team-${names++}`): TransactWrite => ({
  Put: { Item: { ...teamKey(short), team_short: short }, ConditionExpression: 'attribute_not_exists(PK)' },
});
const isWritten = async ({ Put }: TransactWrite) =>
  (await get(table, teamKey(String(Put?.Item?.['team_short'])))) !== undefined;
const destination = { table, publish: bus.publish };
const commit = (n: number, ...writes: TransactWrite[]) =>
  commitWithEvents(destination, writes, [eventItem(n)]);

test('commitWithEvents writes the items and the event in one transaction, then publishes and removes it', async () => {
  const [one, other] = [once(), once()];
  const seen: unknown[] = [];
  bus.script(async () => {
    seen.push(await pendingEvents(table), await isWritten(one), await isWritten(other));
    return undefined;
  });
  expect(await commit(1, one, other)).toBeUndefined();
  expect(seen).toEqual([[eventItem(1)], true, true]);
  expect(bus.details()).toEqual([[{ n: 1 }]]);
  expect(await pendingEvents(table)).toEqual([]);
  expect(operations().filter((operation) => /Write|Delete/.test(operation))).toEqual([
    'TransactWriteItems',
    'DeleteItem',
  ]);
});

test('commitWithEvents stores an event under the name of its type, and pendingEvents reads those of earlier versions', async () => {
  bus.fail(() => true);
  await commit(1);
  const stored = { ...outboxKey(uuidOf(1)), createdAt: NOON, user_cancel: '{"n":1}' };
  expect(await get(table, outboxKey(uuidOf(1)))).toEqual(stored);
  await leaveInOutbox(table, eventItem(2));
  expect(await pendingEvents(table)).toEqual([eventItem(1), eventItem(2)]);
});

test('commitWithEvents writes and publishes nothing when a condition fails', async () => {
  const [taken, other] = [once(), once()];
  await commit(1, taken);
  bus.calls.length = 0;
  const failed = await commit(2, other, taken);
  expect(failed).toBeInstanceOf(ConditionFailed);
  expect(failed?.item).toMatchObject({ team_short: taken.Put?.Item?.['team_short'] });
  const refused = commit(2, other, { ...taken, otherwise: 'team_exists' });
  await expect(refused).rejects.toMatchObject({ code: 'team_exists' });
  wire.script(() => DOWN);
  await expect(commit(2, other)).rejects.toThrow('InternalServerError');
  wire.reset();
  expect(await isWritten(other)).toBe(false);
  expect(await pendingEvents(table)).toEqual([]);
  expect(bus.calls).toEqual([]);
});

test('commitWithEvents keeps a refused event in the outbox, and publishes no other', async () => {
  const write = once();
  bus.fail((n) => n === 1);
  expect(await commit(1, write)).toBeUndefined();
  expect(await isWritten(write)).toBe(true);
  await commit(2, once());
  expect(bus.details()).toEqual([[{ n: 1 }], [{ n: 2 }]]);
  expect(await pendingEvents(table)).toEqual([eventItem(1)]);
});

const commitTwo = () =>
  commitWithEvents(
    destination,
    [once()],
    [1, 2].map((n) => eventItem(n)),
  );

test('commitWithEvents publishes all events, and leaves those that it cannot remove to the relay', async () => {
  await commitTwo();
  expect(bus.details()).toEqual([[{ n: 1 }, { n: 2 }]]);
  expect(await pendingEvents(table)).toEqual([]);
  wire.reset();
  const denied = { status: 400, body: { __type: 'AccessDeniedException' } };
  wire.script((operation) => (operation === 'DeleteItem' ? denied : undefined));
  expect(await commitTwo()).toBeUndefined();
  await expect.poll(() => operations().filter((each) => each === 'DeleteItem')).toHaveLength(2);
  expect(await pendingEvents(table)).toEqual([eventItem(1), eventItem(2)]);
  const line = { level: 'warn', message: 'An event waits for the relay' };
  const error = { name: 'AccessDeniedException' };
  expect(lines).toMatchObject([1, 2].map((n) => ({ ...line, event: eventItem(n).id, error })));
});

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => ({ n: from + n }));
/** Stores the events 1 to 23 in another order. */
const leave23 = async () => {
  await leaveInOutbox(table, ...Array.from({ length: 23 }, (_, n) => eventItem(((n * 7) % 23) + 1)));
  return pendingEvents(table);
};

test('pendingEvents returns the events of all pages, oldest first, with any detail', async () => {
  const detail = { empty: '', list: [[]], tiny: 1e-300, none: null };
  const event = eventItem(0, { detail });
  await leaveInOutbox(table, event);
  await leave23();
  wire.script(endingPages(5));
  expect((await pendingEvents(table)).map((each) => each.detail)).toEqual([detail, ...range(1, 23)]);
  const key = outboxKey(event.id);
  expect(await get(table, key)).toEqual({ ...key, ...event, detail: JSON.stringify(detail) });
});

test(`publishPending publishes ${MAX_ENTRIES} events at a time, oldest first, and removes each batch before the next`, async () => {
  const events = await leave23();
  const left: number[] = [];
  bus.script(async () => {
    left.push((await pendingEvents(table)).length);
    return undefined;
  });
  expect(await publishPending(table, bus.publish, events)).toEqual([]);
  expect(bus.details()).toEqual([range(1, 10), range(11, 20), range(21, 23)]);
  expect(left).toEqual([23, 13, 3]);
  expect(await pendingEvents(table)).toEqual([]);
});

test('publishPending returns and keeps the events that the bus refuses, and publishes the others', async () => {
  const events = await leave23();
  const refused = [2, 10, 11, 23];
  bus.fail((n) => refused.includes(n));
  const failed = await publishPending(table, bus.publish, events);
  expect(failed.map(({ detail }) => detail)).toEqual(refused.map((n) => ({ n })));
  expect(bus.sizes()).toEqual([10, 10, 3]);
  expect(await pendingEvents(table)).toEqual(failed);
});

test('listPending lists events, oldest first, without their details, one query a page', async () => {
  const detail = { username: 'Ada', roles: ['r'] };
  // An event of a function whose clock is ahead.
  const waiting = { ...eventItem(1), createdAt: NOON + 1500, detail };
  const poison = { ...eventItem(2), createdAt: NOON - 90_500, setAsideAt: NOON, detail: {} };
  await leaveInOutbox(table, poison, waiting);
  wire.reset();
  const { items, next_cursor } = await listPending(runtime, { limit: 1 });
  expect(items).toEqual([
    {
      id: waiting.id,
      type: waiting.detailType,
      username: 'Ada',
      created_at: new Date(waiting.createdAt).toISOString(),
      age_seconds: 0,
      state: 'pending',
    },
  ]);
  expect(errorsOf(pendingEventSchema(), items[0])).toEqual([]);
  const second = await listPending(runtime, { limit: 1, cursor: next_cursor });
  expect(second.items).toMatchObject([
    { id: uuidOf(2), username: null, age_seconds: 90, state: 'set-aside' },
  ]);
  expect(await listPending(runtime, { cursor: second.next_cursor })).toEqual({ items: [] });
  expect(operations()).toEqual(['Query', 'Query', 'Query']);
  expect(errorsOf(pending.query(), { cursor: next_cursor })).toEqual([]);
});

test('the IDs of events, by which the outbox is sorted, sort by the millisecond of their creation', () => {
  const changes = Array.from({ length: 50_000 }, () =>
    occurrenceBy({ ...runtime, now: Date.now }, by('ada')),
  );
  const times = changes.toSorted((one, other) => (one.id < other.id ? -1 : 1)).map(({ at }) => at);
  expect(times).toEqual([...times].sort());
  expect(times.at(-1)).toBeGreaterThan(times[0] as number);
});
