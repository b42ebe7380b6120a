import { beforeEach, expect, test, vi } from 'vitest';
import { BATCH, type Writer, writeBatch } from '#infra/admin/import/batch';
import { checked, type Entry, type Fault, teamsIn } from '#infra/admin/import/entry';
import { CHUNK, writeAccounts } from '#infra/admin/import/write';
import { Refusal } from '#infra/admin/refusal';
import { readAccounts } from '#lib/account/account';
import { MAX_ROLES } from '#lib/account/maxima';
import { completeErasures } from '#lib/erasure/complete';
import { eraseAccount } from '#lib/erasure/erase';
import type { OutboxEvent } from '#lib/item/outbox-event';
import { pendingEvents } from '#lib/outbox/outbox';
import type { NewPassword } from '#lib/password/hash';
import { readCounters } from '#lib/stats/counters';
import { counterKey } from '#lib/table/keys';
import { SETTLED_MS } from '#lib/table/pass';
import { deleteTeam } from '#lib/team/delete';
import { COLLISION, cancelled, DOWN } from '../../../wire/dynamodb-proxy.ts';
import { by, openTestTable } from '../../support/engine.ts';

const { table, wire, runtime, account, team, operations, clock } = await openTestTable({
  Events: 'user_create',
  ErasureAfterDays: '0',
});
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

/** Accounts of a file, with names that only this test uses. */
const entries = (n: number, more: object = {}) =>
  Promise.all(
    Array.from({ length: n }, (_, index) => {
      const value = { username: `user-${series}-${index}`, ...more };
      return checked({ line: index + 1, value }, new Map(), {}) as Promise<Entry>;
    }),
  );
const shardOf = (entry: Entry) => counterKey('COUNT', entry.draft.username).SK;
/** Accounts of one shard, as in a batch. */
const ofOneShard = async (n: number, more: object = {}) => {
  const all = await entries(n * 40, more);
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
  const batch = await ofOneShard(10, { islocked: true });
  expect(await writeBatch(writer, batch)).toEqual({ created: 10, existing: 0 });
  expect(operations().filter((operation) => operation === 'TransactWriteItems')).toHaveLength(1);
  const { count, locked } = await readCounters(table);
  expect([count, locked]).toEqual([before.count + 10, before.locked + 10]);
  expect((await found(batch)).map((it) => it?.username)).toEqual(batch.map(({ draft }) => draft.username));
  expect(published.map(({ detail }) => detail)).toMatchObject(
    batch.map(({ draft }) => ({ username: draft.username, created_by: 'operator:root' })),
  );
});

test('writeBatch leaves an existing account alone, and hashes no password of it', async () => {
  const batch = await ofOneShard(5, { password: 'correct horse' });
  const [first, , there] = batch as [Entry, Entry, Entry];
  const held = await account({ username: there.draft.username.toUpperCase() });
  const before = await count();
  const hashed: string[] = [];
  const hash = async (password: string) => {
    // Another process creates one of them meanwhile.
    if (hashed.push(password) === 1) await account({ username: first.draft.username });
    return password;
  };
  expect(await writeBatch({ ...writer, hash }, batch)).toEqual({ created: 3, existing: 2 });
  expect(hashed).toHaveLength(4);
  expect((await found([there]))[0]).toMatchObject({ id: held.id, username: held.username });
  expect(await count()).toBe(before + 4);
  expect(published).toHaveLength(3);
});

test('writeBatch creates a batch of the largest accounts', async () => {
  const batch = await ofOneShard(BATCH, {
    password: 'correct horse',
    isactive: false,
    roles: Array.from({ length: MAX_ROLES }, (_, n) => `role-${n}`.padEnd(64, 'x')),
    user_properties: { a: 'x'.repeat(60_000) },
  });
  expect(await writeBatch(writer, batch)).toEqual({ created: BATCH, existing: 0 });
});

test('writeAccounts creates accounts whose locks end at the same time', async () => {
  const all = await ofOneShard(3, { islocked: true, lockoutend: '2099-01-01T00:00:00Z' });
  expect(await writeAccounts(writer, from(all), quiet)).toEqual({ created: 3, existing: 0, failed: 0 });
});

test('writeAccounts leaves out the name of an erased account unless it is forced, and creates the others', async () => {
  const [erased, ...others] = (await ofOneShard(3)) as [Entry, Entry, Entry];
  const { username } = erased.draft;
  const it = await account({ username, isactive: false });
  await eraseAccount(writer.runtime, username, it, by('root'));
  clock.time += SETTLED_MS;
  await completeErasures(writer.runtime, 'run');
  const all = [erased, ...others];
  const write = (force?: true) => writeAccounts({ ...writer, force }, from(all), quiet);
  expect(await write()).toEqual({ created: 2, existing: 0, failed: 1 });
  expect((await found(all)).map((each) => each?.username)).toEqual([
    undefined,
    ...others.map(({ draft }) => draft.username),
  ]);
  expect(await write(true)).toEqual({ created: 1, existing: 2, failed: 0 });
  expect((await found([erased]))[0]?.id).not.toBe(it.id);
});

test('writeAccounts creates the others when an erasure is not complete, or ends an account meanwhile', async () => {
  const [erased, meanwhile, ...others] = (await ofOneShard(4)) as [Entry, Entry, Entry, Entry];
  const accountOf = ({ draft: { username } }: Entry) => account({ username, isactive: false });
  const erase = async (entry: Entry, it = accountOf(entry)) =>
    eraseAccount(writer.runtime, entry.draft.username, await it, by('root'));
  await erase(erased);
  const recorded: string[] = [];
  const record: Writer['record'] = async (entries) => {
    recorded.push(...entries.flatMap(({ target, outcome }) => (outcome ? [`${target} ${outcome}`] : [])));
  };
  const faults: string[] = [];
  const told = {
    ...quiet,
    failed: ({ errors }: Fault) => void faults.push(...errors.map(({ message }) => message)),
  };
  const write = (entries: Entry[], force?: true) =>
    writeAccounts({ ...writer, record, force }, from(entries), told);
  expect(await write([erased, others[0] as Entry], true)).toEqual({ created: 1, existing: 0, failed: 1 });
  wire.before('TransactWriteItems', () => erase(meanwhile));
  expect(await write([meanwhile, others[1] as Entry])).toEqual({ created: 1, existing: 0, failed: 1 });
  expect(faults).toEqual([
    expect.stringContaining('is not complete yet'),
    expect.stringContaining('was erased'),
  ]);
  expect(recorded).toEqual([erased, meanwhile].map(({ draft }) => `${draft.username} account_erased`));
});

test('writeAccounts gives accounts the teams as they are then, and leaves out those of a team that is gone', async () => {
  const deleting = (short: string, to?: string) =>
    deleteTeam({ ...runtime, publish: async () => [] }, { short, to }, by('root'));
  for (const short of ['old', 'new', 'gone', 'kept']) await team(short);
  const teams = await teamsIn(table);
  const [moved, lost, other] = (await Promise.all(
    ['old', 'gone', 'kept'].map((short, line) =>
      checked({ line, value: { username: `joins-${short}`, teams: [short] } }, teams, {}),
    ),
  )) as [Entry, Entry, Entry];
  await deleting('old', 'new');
  await deleting('gone');
  const faults: Fault[] = [];
  const failed = (fault: Fault) => faults.push(fault);
  expect(await writeAccounts(writer, from([moved, lost, other]), { ...quiet, failed })).toEqual({
    created: 2,
    existing: 0,
    failed: 1,
  });
  expect(faults).toMatchObject([{ line: lost.line, errors: [{ message: 'The team does not exist.' }] }]);
  const shorts = (await found([moved, lost, other])).map((it) =>
    it?.teams.map(({ team_short }) => team_short),
  );
  expect(shorts).toEqual([['new'], undefined, ['kept']]);
});

test('writeBatch creates an account without a lock that has ended', async () => {
  const batch = await ofOneShard(1, { islocked: true, lockoutend: '2020-01-01T00:00:00Z' });
  await writeBatch(writer, batch);
  expect((await found(batch))[0]).not.toHaveProperty('lockoutend');
});

test('writeBatch creates a batch once when the answer was lost', async () => {
  const before = await count();
  const batch = await ofOneShard(5);
  // The engine recognizes a transaction that is sent again; DynamoDB does so for ten minutes.
  const faults = ['lose', cancelled('ConditionalCheckFailed')] as const;
  let sent = 0;
  wire.script((operation) => (operation === 'TransactWriteItems' ? faults[sent++] : undefined));
  expect(await writeBatch(writer, batch)).toEqual({ created: 5, existing: 0 });
  expect(await count()).toBe(before + 5);
});

test('writeBatch creates a batch after a short outage and many collisions', async () => {
  let sent = 0;
  wire.script((operation) => {
    if (operation !== 'TransactWriteItems' || ++sent > 12) return undefined;
    return sent <= 3 ? DOWN : COLLISION;
  });
  expect(await writeBatch(writer, await ofOneShard(2))).toEqual({ created: 2, existing: 0 });
});

test('writeAccounts creates all accounts of a file, once, however often it runs', async () => {
  const before = await count();
  const all = await entries(300);
  expect(await writeAccounts(writer, from(all), quiet)).toEqual({ created: 300, existing: 0, failed: 0 });
  expect(operations().filter((operation) => operation === 'TransactWriteItems').length).toBeLessThan(40);
  expect(await count()).toBe(before + 300);
  // A slow engine leaves the events of a batch to the relay.
  const events = [...published, ...(await pendingEvents(table))] as { detail: { username: string } }[];
  const named = new Set(events.map(({ detail }) => detail.username));
  expect(all.filter(({ draft }) => !named.has(draft.username))).toEqual([]);
  const more = [...all, ...(await entries(310)).slice(300)];
  expect(await writeAccounts(writer, from(more), quiet)).toEqual({ created: 10, existing: 300, failed: 0 });
  expect(await count()).toBe(before + 310);
  expect((await found(more)).filter((it) => it === undefined)).toEqual([]);
});

test('writeAccounts creates the other account of a batch of two, and reports the one that fails', async () => {
  const [one, other] = (await ofOneShard(2, { password: 'correct horse' })) as [Entry, Entry];
  const broken = { ...other, draft: { ...other.draft, password: 'broken' as NewPassword } };
  const hash = async (password: string) =>
    password === 'broken' ? Promise.reject(new Error('No')) : password;
  const failed = vi.fn();
  const summary = writeAccounts({ ...writer, hash }, from([one, broken]), { ...quiet, failed });
  expect(await summary).toEqual({ created: 1, existing: 0, failed: 1 });
  const fault = { source: other.source, line: other.line, errors: [{ field: '', message: 'No' }] };
  expect(failed.mock.calls).toEqual([[fault]]);
});

test('writeAccounts ends when the audit log cannot be written', async () => {
  const refusal = new Refusal('audit_unavailable', 'No');
  const record = () => Promise.reject(refusal);
  await expect(writeAccounts({ ...writer, record }, from(await ofOneShard(2)), quiet)).rejects.toBe(refusal);
});

test('writeAccounts reads no more than a chunk before it writes', async () => {
  const all = await entries(CHUNK + 20);
  let [read, written, most] = [0, 0, 0];
  const onRead = () => {
    most = Math.max(most, ++read - written);
    return most;
  };
  const done = ({ created }: { created: number }) => {
    written = created;
  };
  const silent = { ...writer.runtime, settings: { ...runtime.settings, Events: [] } };
  await writeAccounts({ ...writer, runtime: silent }, from(all, onRead), { ...quiet, done });
  expect([written, most]).toEqual([CHUNK + 20, CHUNK]);
});

test('writeAccounts ends with the first outage, and reads no further chunk', async () => {
  const all = await entries(CHUNK + 1, { password: 'correct horse' });
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
