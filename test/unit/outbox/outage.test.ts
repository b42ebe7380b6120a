import { beforeEach, describe, expect, test } from 'vitest';
import { pendingEvents } from '#lib/outbox/outbox';
import { relayEvents } from '#lib/outbox/relay';
import { noteFailure } from '#lib/outbox/trials';
import { outboxKey } from '#lib/table/keys';
import { remove } from '#lib/table/write';
import { NOON, openTestTable } from '../support/engine.ts';
import { FAILED, leaveInOutbox, openTestBus } from '../support/event-bus.ts';
import { eventItem } from '../support/items.ts';
import { logLines } from '../support/log-lines.ts';

const { table, runtime, clock } = await openTestTable();
const bus = await openTestBus();
logLines();

const relay = () => relayEvents({ ...runtime, publish: bus.publish });

/** The bus fails the entries of these events. */
const failing = (isFailing: (n: number) => boolean) =>
  bus.script((entries) => {
    const answers = entries.map(({ Detail }) =>
      isFailing((JSON.parse(Detail) as { n: number }).n) ? FAILED : { EventId: 'accepted' },
    );
    return { FailedEntryCount: answers.filter((answer) => answer === FAILED).length, Entries: answers };
  });

beforeEach(async () => {
  for (const { id } of await pendingEvents(table)) await remove(table, outboxKey(id));
  clock.time = NOON + 300_000;
});

/** Leaves events that wait for their third attempt, all for longer than a minute. */
const leaveWaiting = async (...numbers: number[]) => {
  for (const n of numbers) {
    const event = eventItem(n, { createdAt: NOON + n });
    await leaveInOutbox(table, event);
    await noteFailure(table, { ...event, attempts: 2 }, 'down', clock.time);
  }
};

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);
const published = () => bus.details().flat();

describe('once the bus accepts one of the ten oldest events', () => {
  test('all that wait are published by the same sweep, oldest first, among those that are due', async () => {
    await leaveWaiting(...numbers(1, 12), ...numbers(14, 25));
    await leaveInOutbox(table, eventItem(13, { createdAt: NOON + 13 }));
    expect(await relay()).toMatchObject({ published: 25, failed: 0, pending: 0, oldestPendingSeconds: 0 });
    expect(published()).toEqual(numbers(1, 25).map((n) => ({ n })));
    expect(await pendingEvents(table)).toEqual([]);
  });

  test('one that it refuses keeps its attempts and its time', async () => {
    await leaveWaiting(...numbers(1, 15));
    const before = await pendingEvents(table);
    failing((n) => n === 3 || n === 12);
    expect(await relay()).toMatchObject({ published: 13, failed: 0, pending: 2, oldestPendingSeconds: 299 });
    expect(await pendingEvents(table)).toEqual(before.filter((_, index) => index === 2 || index === 11));
  });
});

describe('while it accepts none of them', () => {
  test('the others wait, and nothing is noted', async () => {
    await leaveWaiting(...numbers(1, 25));
    const before = await pendingEvents(table);
    failing(() => true);
    expect(await relay()).toMatchObject({ published: 0, failed: 0, pending: 25 });
    expect(published()).toEqual(numbers(1, 10).map((n) => ({ n })));
    expect(await pendingEvents(table)).toEqual(before);
  });

  test('one that is due is tried, and its failure noted, wherever it stands', async () => {
    await leaveWaiting(...numbers(1, 4), ...numbers(6, 15));
    for (const n of [5, 16]) await leaveInOutbox(table, eventItem(n));
    failing(() => true);
    expect(await relay()).toMatchObject({ published: 0, failed: 2, pending: 16 });
    expect(published()).toEqual([...numbers(1, 10), 16].map((n) => ({ n })));
    expect((await pendingEvents(table)).filter(({ attempts }) => attempts === 1)).toMatchObject([
      { detail: { n: 5 } },
      { detail: { n: 16 } },
    ]);
  });

  test('ten that are refused for ever hold up none that is due', async () => {
    await leaveWaiting(...numbers(1, 10));
    await leaveInOutbox(table, eventItem(11));
    failing((n) => n <= 10);
    expect(await relay()).toMatchObject({ published: 1, failed: 0, pending: 10 });
  });
});

test('a sweep that has no time left counts what it has not come to', async () => {
  await leaveWaiting(...numbers(1, 25));
  bus.script(() => {
    clock.time += 40_001;
    return undefined;
  });
  expect(await relay()).toMatchObject({ published: 10, failed: 0, pending: 15 });
});
