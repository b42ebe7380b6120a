import { expect, test } from 'vitest';
import type { Account } from '#lib/item/account';
import { commitWithEvent } from '#lib/outbox/commit';
import { pendingEvents } from '#lib/outbox/outbox';
import { outboxKey, teamKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { ConditionFailed, remove, type TransactWrite } from '#lib/table/write';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { openTestTable } from '../support/engine.ts';
import { FAILED, leaveInOutbox, openTestBus } from '../support/event-bus.ts';
import { eventItem } from '../support/items.ts';
import { logLines } from '../support/log-lines.ts';

const { table, wire, operations } = await openTestTable();
const bus = await openTestBus();
const lines = logLines();

/** A write that can be told apart, and succeeds once. */
const write = (short: string): TransactWrite => ({
  Put: { Item: { ...teamKey(short), team_short: short }, ConditionExpression: 'attribute_not_exists(PK)' },
});
const written = async (short: string) => (await get(table, teamKey(short))) !== undefined;
const nobody = {} as Account;
const commit = (n: number, ...writes: TransactWrite[]) =>
  commitWithEvent(
    table,
    writes,
    { publish: bus.publish, of: () => eventItem(n), expected: () => ({}) },
    nobody,
  );

test('the writes and their event are one transaction, and the event is published and gone', async () => {
  const pending: unknown[] = [];
  bus.script(async () => {
    pending.push(await pendingEvents(table), await written('a'), await written('b'));
    return undefined;
  });
  expect(await commit(1, write('a'), write('b'))).toBeUndefined();
  expect(pending).toEqual([[eventItem(1)], true, true]);
  expect(bus.details()).toEqual([[{ n: 1 }]]);
  expect(await pendingEvents(table)).toEqual([]);
  expect(operations().filter((operation) => /Write|Delete/.test(operation))).toEqual([
    'TransactWriteItems',
    'DeleteItem',
  ]);
});

test('where a condition does not hold, nothing is written and nothing published', async () => {
  await commit(2, write('c'));
  bus.calls.length = 0;
  const failed = await commit(3, write('d'), write('c'));
  expect(failed).toBeInstanceOf(ConditionFailed);
  expect(failed?.item).toMatchObject({ team_short: 'c' });
  expect(await written('d')).toBe(false);
  expect(await pendingEvents(table)).toEqual([]);
  expect(bus.calls).toEqual([]);
});

test('where a condition is a failure of its own, nothing is published', async () => {
  await commit(4, write('e'));
  bus.calls.length = 0;
  await expect(commit(5, { ...write('e'), otherwise: 'team_exists' })).rejects.toMatchObject({
    code: 'team_exists',
  });
  expect(await pendingEvents(table)).toEqual([]);
  expect(bus.calls).toEqual([]);
});

test('where the table is down, nothing is published', async () => {
  wire.script(() => DOWN);
  await expect(commit(6, write('f'))).rejects.toThrow('InternalServerError');
  expect(bus.calls).toEqual([]);
});

test('an event that the bus does not accept stays in the outbox, and the writes stand', async () => {
  bus.script(() => ({ FailedEntryCount: 1, Entries: [FAILED] }));
  expect(await commit(7, write('g'))).toBeUndefined();
  expect(await written('g')).toBe(true);
  expect(await pendingEvents(table)).toEqual([eventItem(7)]);
  await remove(table, outboxKey(eventItem(7).id));
});

test('an event that cannot be removed is left to the relay, which is logged', async () => {
  wire.script((operation) => (operation === 'DeleteItem' ? DOWN : undefined));
  expect(await commit(8, write('h'))).toBeUndefined();
  expect(await pendingEvents(table)).toEqual([eventItem(8)]);
  expect(lines).toMatchObject([
    {
      level: 'warn',
      message: 'An event is left to the relay',
      event: eventItem(8).id,
      error: { name: 'InternalServerError' },
    },
  ]);
  wire.reset();
  await remove(table, outboxKey(eventItem(8).id));
});

test('writes that no event tells are a transaction all the same, and publish nothing', async () => {
  expect(await commitWithEvent(table, [write('j'), write('k')], undefined, nobody)).toBeUndefined();
  expect(await written('k')).toBe(true);
  expect(bus.calls).toEqual([]);
  expect(await commitWithEvent(table, [write('k')], undefined, nobody)).toBeInstanceOf(ConditionFailed);
});

test('what others have left behind is not published along', async () => {
  await leaveInOutbox(table, eventItem(9));
  await commit(10, write('i'));
  expect(bus.details()).toEqual([[{ n: 10 }]]);
  expect(await pendingEvents(table)).toEqual([eventItem(9)]);
});
