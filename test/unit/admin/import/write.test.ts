import { beforeEach, describe, expect, test } from 'vitest';
import { batchesOf, type Writer, writeBatch } from '#infra/admin/import/batch';
import { checked, type Entry } from '#infra/admin/import/entry';
import { CHUNK, writeAccounts } from '#infra/admin/import/write';
import { readAccounts } from '#lib/account/account';
import type { OutboxEvent } from '#lib/item/outbox-event';
import { pendingEvents } from '#lib/outbox/outbox';
import { readCounters } from '#lib/stats/counters';
import { counterKey } from '#lib/table/keys';
import { cancelled } from '../../../wire/dynamodb-proxy.ts';
import { by, openTestTable } from '../../support/engine.ts';

const { table, wire, runtime, account, operations } = await openTestTable({ Events: 'user_create' });
const published: OutboxEvent[] = [];
const writer: Writer = {
  runtime: {
    ...runtime,
    publish: async (events) => {
      published.push(...events);
      return events;
    },
  },
  actor: by('operator:root'),
  hash: async (password) => `hash of ${password}`,
  record: async () => undefined,
};
const quiet = { done: () => undefined, failed: () => undefined };
const count = async () => (await readCounters(table)).count;

let series = 0;
beforeEach(() => {
  published.length = 0;
  series += 1;
});

/** Accounts of a file; names are of this test alone. */
const entries = (n: number, more: object = {}): Entry[] =>
  Array.from({ length: n }, (_, index) => {
    const value = { username: `user-${series}-${index}`, ...more };
    return checked({ line: index + 1, value }, new Map(), {}) as Entry;
  });
const shardOf = (entry: Entry) => counterKey('COUNT', entry.draft.username).SK;
/** Such of one shard, as a batch has them. */
const ofOneShard = (n: number, more: object = {}) => {
  const all = entries(n * 40, more);
  return all.filter((entry) => shardOf(entry) === shardOf(all[0] as Entry)).slice(0, n);
};
async function* from(all: readonly Entry[], onRead = () => 0) {
  for (const entry of all) {
    onRead();
    yield entry;
  }
}
async function found(all: readonly Entry[]) {
  const names = all.map(({ draft }) => draft.username);
  const accounts = [];
  for (let start = 0; start < names.length; start += 100)
    accounts.push(...(await readAccounts(table, names.slice(start, start + 100))));
  return accounts;
}

test('writeBatch creates and counts a batch in one transaction', async () => {
  const before = await readCounters(table);
  const batch = ofOneShard(10, { islocked: true });
  expect(await writeBatch(writer, batch, false)).toEqual({ created: 10, existing: 0 });
  expect(operations().filter((operation) => operation === 'TransactWriteItems')).toHaveLength(1);
  const { count, locked } = await readCounters(table);
  expect([count, locked]).toEqual([before.count + 10, before.locked + 10]);
  expect((await found(batch)).map((it) => it?.username)).toEqual(batch.map(({ draft }) => draft.username));
  expect(published.map(({ detail }) => detail)).toMatchObject(
    batch.map(({ draft }) => ({ username: draft.username, created_by: 'operator:root' })),
  );
});

test.each([false, true])(
  'writeBatch leaves an existing account alone; if it looks first (%s) it hashes no password of it',
  async (looks) => {
    const batch = ofOneShard(5, { password: 'correct horse' });
    const there = batch[2] as Entry;
    const held = await account({ username: there.draft.username.toUpperCase() });
    const before = await count();
    const hashed: string[] = [];
    const hash = async (password: string) => {
      hashed.push(password);
      return password;
    };
    expect(await writeBatch({ ...writer, hash }, batch, looks)).toEqual({ created: 4, existing: 1 });
    expect(hashed).toHaveLength(looks ? 4 : 5);
    expect((await found([there]))[0]).toMatchObject({ id: held.id, username: held.username });
    expect(await count()).toBe(before + 4);
    expect(published).toHaveLength(4);
  },
);

test('writeBatch creates a batch once when the answer was lost', async () => {
  const before = await count();
  const batch = ofOneShard(5);
  // The engine knows a transaction that is sent again; DynamoDB has forgotten it after ten minutes.
  const faults = ['lose', cancelled('ConditionalCheckFailed')] as const;
  let sent = 0;
  wire.script((operation) => (operation === 'TransactWriteItems' ? faults[sent++] : undefined));
  expect(await writeBatch(writer, batch, false)).toEqual({ created: 5, existing: 0 });
  expect(await count()).toBe(before + 5);
});

test('writeAccounts creates all accounts of a file, once, however often it runs', async () => {
  const before = await count();
  const all = entries(300);
  expect(await writeAccounts(writer, from(all), quiet)).toEqual({ created: 300, existing: 0, failed: 0 });
  expect(operations().filter((operation) => operation === 'TransactWriteItems').length).toBeLessThan(30);
  expect(await count()).toBe(before + 300);
  // A slow engine leaves the events of a batch to the relay.
  const events = [...published, ...(await pendingEvents(table))] as { detail: { username: string } }[];
  const named = new Set(events.map(({ detail }) => detail.username));
  expect(all.filter(({ draft }) => !named.has(draft.username))).toEqual([]);
  const more = [...all, ...entries(310).slice(300)];
  expect(await writeAccounts(writer, from(more), quiet)).toEqual({ created: 10, existing: 300, failed: 0 });
  expect(await count()).toBe(before + 310);
  expect((await found(more)).filter((it) => it === undefined)).toEqual([]);
});

test('writeAccounts reads no more than a chunk before it writes', async () => {
  const all = entries(CHUNK + 300);
  let [read, written, most] = [0, 0, 0];
  const onRead = () => {
    most = Math.max(most, ++read - written);
    return most;
  };
  const done = ({ created }: { created: number }) => {
    written = created;
  };
  await writeAccounts(writer, from(all, onRead), { ...quiet, done });
  expect([written, most]).toEqual([CHUNK + 300, CHUNK]);
});

test('writeAccounts ends with the first outage, and reads no further chunk', async () => {
  const all = entries(CHUNK + 1, { password: 'correct horse' });
  let read = 0;
  const hash = () => Promise.reject(Object.assign(new Error('No'), { code: 'ECONNREFUSED' }));
  const failed = (fault: unknown) => expect.unreachable(String(fault));
  await expect(
    writeAccounts(
      { ...writer, hash },
      from(all, () => read++),
      { ...quiet, failed },
    ),
  ).rejects.toThrow('No');
  expect(read).toBe(CHUNK);
});

describe('batchesOf', () => {
  const sizes = (n: number, more: object = {}, hasEvent = false) =>
    batchesOf(
      entries(n).map((entry) => ({ ...entry, ...more })),
      hasEvent,
    ).map(({ length }) => length);
  const draft = (more: object) => ({ draft: { ...(entries(1)[0] as Entry).draft, ...more } });

  test.each<[string, object, boolean, number]>([
    ['accounts', {}, false, 48],
    ['accounts with an event', {}, true, 24],
    ['cancelled accounts', { isactive: false }, false, 24],
    ['accounts with properties', draft({ user_properties: { a: 1 } }), false, 24],
    ['accounts with a password', draft({ password: 'correct horse' }), false, 8],
    ['accounts with 100 teams', { memberships: Array(100) }, false, 17],
    ['accounts with 100 roles and applications', draft({ roles: Array(100), apps: Array(100) }), false, 48],
    ['accounts with large properties', draft({ user_properties: { a: 'x'.repeat(300_000) } }), false, 4],
  ])('puts as many %s into a batch as fit', (_what, more, hasEvent, most) => {
    expect(sizes(2 * most + 1, more, hasEvent)).toEqual([most, most, 1]);
  });

  test('keeps the order, and answers no batch for no account', () => {
    const all = entries(100);
    expect(batchesOf(all, false).flat()).toEqual(all);
    expect(batchesOf([], false)).toEqual([]);
  });
});
