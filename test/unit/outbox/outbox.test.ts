import { beforeEach, describe, expect, test } from 'vitest';
import { pendingEvents, publishPending } from '#lib/outbox/outbox';
import { outboxKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { remove } from '#lib/table/write';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { NOON, openTestTable } from '../support/engine.ts';
import { FAILED, leaveInOutbox, openTestBus, type SentEntry } from '../support/event-bus.ts';
import { eventItem } from '../support/items.ts';
import { logLines } from '../support/log-lines.ts';

const { table, wire } = await openTestTable();
const bus = await openTestBus();
logLines();

const numberOf = ({ Detail }: SentEntry) => (JSON.parse(Detail) as { n: number }).n;
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ n: from + index }));
const pendingNumbers = async () => (await pendingEvents(table)).map(({ detail }) => detail);

/** Fails the entries of these events and accepts the others. */
const failing =
  (...numbers: number[]) =>
  (entries: readonly SentEntry[]) => ({
    FailedEntryCount: entries.filter((entry) => numbers.includes(numberOf(entry))).length,
    Entries: entries.map((entry) => (numbers.includes(numberOf(entry)) ? FAILED : { EventId: 'accepted' })),
  });

beforeEach(async () => {
  for (const { id } of await pendingEvents(table)) await remove(table, outboxKey(id));
});

const leave = async (...numbers: number[]) => {
  for (const n of numbers) await leaveInOutbox(table, eventItem(n, { createdAt: NOON + n }));
  return pendingEvents(table);
};

/** 1 to 23 in an order that is not theirs. */
const SHUFFLED = Array.from({ length: 23 }, (_, index) => ((index * 7) % 23) + 1);

describe('the outbox', () => {
  test('shows its events oldest first, as they were made', async () => {
    expect(await leave(3, 1, 2)).toEqual([1, 2, 3].map((n) => eventItem(n, { createdAt: NOON + n })));
  });

  test('keeps any detail, also what DynamoDB could not hold', async () => {
    const detail = { empty: '', list: [[]], tiny: 1e-300, none: null };
    const event = eventItem(1, { detail });
    await leaveInOutbox(table, event);
    expect(await pendingEvents(table)).toEqual([event]);
    expect(await get(table, outboxKey(event.id))).toEqual({
      PK: 'OUTBOX',
      SK: event.id,
      ...event,
      detail: JSON.stringify(detail),
    });
  });
});

test('23 events are published ten at a time, oldest first, and none remains', async () => {
  const events = await leave(...SHUFFLED);
  expect(await publishPending(table, bus.publish, events)).toEqual([]);
  expect(bus.details()).toEqual([range(1, 10), range(11, 20), range(21, 23)]);
  expect(await pendingEvents(table)).toEqual([]);
});

test('no batch is sent before the bus has answered the one before', async () => {
  const events = await leave(...SHUFFLED);
  const pending: number[] = [];
  bus.script(async () => {
    pending.push((await pendingEvents(table)).length);
    return undefined;
  });
  await publishPending(table, bus.publish, events);
  expect(pending).toEqual([23, 13, 3]);
});

test('the events that the bus has failed remain, are told, and hold back no other', async () => {
  const events = await leave(...SHUFFLED);
  bus.script(failing(2, 10, 11, 23));
  const failed = await publishPending(table, bus.publish, events);
  expect(failed.map(({ detail }) => detail)).toEqual([{ n: 2 }, { n: 10 }, { n: 11 }, { n: 23 }]);
  expect(bus.sizes()).toEqual([10, 10, 3]);
  expect(await pendingEvents(table)).toEqual(failed);
});

test('an event whose removal fails remains, and is published again', async () => {
  const events = await leave(1);
  wire.script((operation) => (operation === 'DeleteItem' ? DOWN : undefined));
  await expect(publishPending(table, bus.publish, events)).rejects.toThrow('InternalServerError');
  wire.reset();
  expect(await pendingNumbers()).toEqual([{ n: 1 }]);
  expect(await publishPending(table, bus.publish, events)).toEqual([]);
  expect(bus.details()).toEqual([[{ n: 1 }], [{ n: 1 }]]);
  expect(await pendingEvents(table)).toEqual([]);
});

test('only the events that are named are published', async () => {
  const [first] = await leave(1, 2);
  await publishPending(table, bus.publish, first ? [first] : []);
  expect(bus.details()).toEqual([[{ n: 1 }]]);
  expect(await pendingNumbers()).toEqual([{ n: 2 }]);
});

test('without events nobody is asked', async () => {
  expect(await publishPending(table, bus.publish, [])).toEqual([]);
  expect(bus.calls).toEqual([]);
});
