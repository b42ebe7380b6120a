import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { OutboxEvent } from '#lib/item/outbox-event';
import { pendingEvents } from '#lib/outbox/outbox';
import { relayEvents } from '#lib/outbox/relay';
import { outboxKey } from '#lib/table/keys';
import { remove } from '#lib/table/write';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { NOON, openTestTable } from '../support/engine.ts';
import { FAILED, leaveInOutbox, openTestBus } from '../support/event-bus.ts';
import { eventItem } from '../support/items.ts';
import { logLines } from '../support/log-lines.ts';

const { table, runtime, clock, operations, wire } = await openTestTable();
const bus = await openTestBus();
const lines = logLines();

const relay = () => relayEvents({ ...runtime, publish: bus.publish });

/** Leaves events in the outbox, and forgets the commands that it took. */
const leave = async (...events: OutboxEvent[]) => {
  for (const event of events) await leaveInOutbox(table, event);
  wire.reset();
};

/** Resolves once the relay has looked into the outbox, and waits. */
const relayWaits = () => vi.waitUntil(() => wire.commands[0]?.end, { interval: 1 });

beforeEach(async () => {
  for (const { id } of await pendingEvents(table)) await remove(table, outboxKey(id));
  wire.reset();
});

test('an empty outbox is looked at once', async () => {
  expect(await relay()).toMatchObject({ published: 0 });
  expect(operations()).toEqual(['Query']);
  expect(bus.calls).toEqual([]);
});

test('all 23 events are relayed, oldest first', async () => {
  await leave(
    ...Array.from({ length: 23 }, (_, index) => eventItem(23 - index, { createdAt: NOON - index })),
  );
  clock.time = NOON + 60_000;
  expect(await relay()).toMatchObject({ published: 23 });
  expect(bus.sizes()).toEqual([10, 10, 3]);
  expect(bus.details().flat()).toEqual(Array.from({ length: 23 }, (_, index) => ({ n: index + 1 })));
  expect(await pendingEvents(table)).toEqual([]);
});

describe('events of the last five seconds are left to the requests that made them', () => {
  test('one of five seconds is due at once', async () => {
    await leave(eventItem(1));
    clock.time = NOON + 5000;
    expect(await relay()).toMatchObject({ published: 1 });
    expect(operations()).toEqual(['Query', 'DeleteItem']);
  });

  test('one a millisecond younger is looked for a second time', async () => {
    await leave(eventItem(1));
    clock.time = NOON + 4999;
    expect(await relay()).toMatchObject({ published: 1 });
    expect(operations()).toEqual(['Query', 'Query', 'DeleteItem']);
  });

  test('one that its request publishes meanwhile is not repeated', async () => {
    const [old, young] = [eventItem(1, { createdAt: NOON - 60_000 }), eventItem(2)];
    await leave(old, young);
    clock.time = NOON + 3800;
    const relayed = relay();
    await relayWaits();
    await remove(table, outboxKey(young.id));
    expect(await relayed).toMatchObject({ published: 1 });
    expect(bus.details()).toEqual([[{ n: 1 }]]);
  });

  test('one that comes meanwhile is left to the next run', async () => {
    await leave(eventItem(1));
    clock.time = NOON + 3800;
    const relayed = relay();
    await relayWaits();
    await leaveInOutbox(table, eventItem(2, { createdAt: NOON + 1 }));
    expect(await relayed).toMatchObject({ published: 1 });
    expect(bus.details()).toEqual([[{ n: 1 }]]);
    expect(await pendingEvents(table)).toEqual([eventItem(2, { createdAt: NOON + 1 })]);
  });

  test('the youngest decides how long the relay waits', async () => {
    await leave(
      eventItem(1, { createdAt: NOON - 100 }),
      eventItem(2),
      eventItem(3, { createdAt: NOON - 60_000 }),
    );
    clock.time = NOON + 4990;
    expect(await relay()).toMatchObject({ published: 3 });
    expect(operations().slice(0, 2)).toEqual(['Query', 'Query']);
  });
});

/** The bus fails the entries of these events. */
const failing = (...numbers: number[]) =>
  bus.script((entries) => {
    const isFailing = ({ Detail }: { readonly Detail: string }) =>
      numbers.includes((JSON.parse(Detail) as { n: number }).n);
    return {
      FailedEntryCount: entries.filter(isFailing).length,
      Entries: entries.map((entry) => (isFailing(entry) ? FAILED : { EventId: 'accepted' })),
    };
  });

test('the sweep says what it did, and how old is what remains', async () => {
  await leave(...[1, 2, 3].map((n) => eventItem(n, { createdAt: NOON + n * 1000 })));
  clock.time = NOON + 62_900;
  failing(2, 3);
  const sweep = { published: 1, failed: 2, pending: 2, oldestPendingSeconds: 60, setAside: 0 };
  expect(await relay()).toEqual(sweep);
  expect(lines.at(-1)).toMatchObject({ level: 'info', function: 'events.relay-outbox', ...sweep });
  clock.time += 60_000;
  failing();
  const last = { published: 2, failed: 0, pending: 0, oldestPendingSeconds: 0, setAside: 0 };
  expect(await relay()).toEqual(last);
  expect(await pendingEvents(table)).toEqual([]);
});

test('events that wait count as pending, by the age of the oldest', async () => {
  await leave(eventItem(1));
  clock.time = NOON + 60_000;
  failing(1);
  await relay();
  clock.time += 10_000;
  expect(await relay()).toMatchObject({ published: 0, failed: 0, pending: 1, oldestPendingSeconds: 70 });
});

test('the run fails where the table cannot be read', async () => {
  wire.script(() => DOWN);
  await expect(relay()).rejects.toThrow('InternalServerError');
});

test('a sweep that runs out of time leaves the rest to the next, and counts it', async () => {
  await leave(...Array.from({ length: 12 }, (_, index) => eventItem(index + 1)));
  clock.time = NOON + 60_000;
  bus.script(async () => {
    clock.time += 40_001;
    return undefined;
  });
  expect(await relay()).toMatchObject({ published: 10, failed: 0, pending: 2, oldestPendingSeconds: 100 });
  bus.script(() => undefined);
  expect(await relay()).toMatchObject({ published: 2, pending: 0 });
});
