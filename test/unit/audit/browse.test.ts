import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { createAccount } from '#lib/account/create';
import { browseAudit } from '#lib/audit/browse';
import { MAX_NAMED } from '#lib/audit/names';
import { storeEntries } from '#lib/audit/store';
import { FUNCTIONS } from '#lib/audit/streams';
import { type AuditEntry, type AuditLine, tokenSubject } from '#lib/item/audit-entry';
import { auditKey, cursorSecretKey, SHARDS } from '#lib/table/keys';
import { put } from '#lib/table/write';
import { DAY_MS } from '#lib/time';
import { roundTrips } from '../../wire/dynamodb-proxy.ts';
import { NOON, openTestTable } from '../support/engine.ts';
import { uuidOf } from '../support/items.ts';
import { pagesOf } from '../support/pages.ts';
import { entryAt, historyOf, lineOf, TOKEN, TOKEN_LIKE } from './history.ts';

const { table, runtime, clock, wire } = await openTestTable();
const history = historyOf(400);
const own = Date.parse((history[290] as AuditEntry).time);

beforeAll(async () => {
  await put(table, cursorSecretKey, { secret: 'x'.repeat(43) });
  // The time of the oldest ones is over, but DynamoDB has not removed them yet.
  const expired = [1, 2].map((n) => entryAt(NOON - 90 * DAY_MS - n, n));
  await storeEntries(
    { ...runtime, now: () => NOON - 2 * DAY_MS },
    FUNCTIONS,
    [...history, ...expired].map(lineOf),
  );
});

type Request = Parameters<typeof browseAudit>[1];

/** The pages of a listing; `between` is done before each next one. */
async function entriesOf(
  request: Request,
  examine?: number,
  between: () => Promise<unknown> = async () => 0,
) {
  const pages = await pagesOf((cursor) =>
    browseAudit(runtime, { ...request, cursor }, examine).finally(between),
  );
  return pages.map(({ items }) => items as AuditEntry[]);
}

test('browseAudit lists every entry of the last 90 days, newest first', async () => {
  expect(await entriesOf({})).toEqual([history]);
  const ofMonth = history.filter(({ time }) => time.slice(0, 7) === history[0]?.time.slice(0, 7));
  expect((await entriesOf({ limit: ofMonth.length })).flat()).toEqual(history);
});

const some = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
const times = history.map(({ time }) => Date.parse(time));
const moment = some(0, own, own + 1, own - 1, NOON - 45 * DAY_MS, NOON + DAY_MS, ...times.slice(0, 20));

test('browseAudit lists the entries that match every filter, those of an account with those of its tokens', async () => {
  const filters = fc.record({
    actor: some('admin', 'ADA', 'nobody'),
    target: some('user-0', 'User-1', 'ci@User-1', TOKEN_LIKE, 'nobody'),
    action: some('account.lock', 'admin account lock'),
    outcome: some('ok', 'account_locked'),
    since: moment,
    until: moment,
  });
  const sizes = fc.record({ limit: some(1, 7, 50), examine: fc.constantFrom(20, 1000) });
  const isSame = (one: string | null, asked?: string) => asked === undefined || one === asked.toLowerCase();
  const isAbout = ({ target }: AuditEntry, asked?: string) =>
    isSame(target, asked) || (target === TOKEN.target && isSame(TOKEN.account as string, asked));
  await fc.assert(
    fc.asyncProperty(filters, sizes, async (filter, { limit, examine }) => {
      const { target, since = 0, until = NOON, ...exact } = filter;
      const asked = Object.entries(exact) as [keyof AuditEntry, string | undefined][];
      const expected = history.filter(
        (entry) =>
          isAbout(entry, target) &&
          asked.every(([name, value]) => isSame(entry[name] as string | null, value)) &&
          Date.parse(entry.time) >= since &&
          Date.parse(entry.time) <= until,
      );
      const pages = await entriesOf({ ...exact, target, since, until, limit }, examine);
      expect(pages.flat()).toEqual(expected);
      expect(Math.max(...pages.map(({ length }) => length))).toBeLessThanOrEqual(limit ?? expected.length);
    }),
    { numRuns: 30 },
  );
});

test.each([
  ['all', {}, true],
  ['a target', { target: 'user-0' }, true],
  ['a token', { target: 'ci@user-1' }, false],
  ['an actor', { actor: 'ada' }, false],
])('a page of %s is full unless a filter omits examined entries', async (_, request, isFull) => {
  const { items, next_cursor } = await browseAudit(runtime, { ...request, limit: 50 }, 20);
  expect([items.length === 50, next_cursor !== undefined]).toEqual([isFull, true]);
});

test('browseAudit returns a cursor for its filter only', async () => {
  const { next_cursor: cursor } = await browseAudit(runtime, { actor: 'admin', limit: 1 });
  for (const other of [{}, { actor: 'ada' }, { actor: 'admin', since: 1 }])
    await expect(browseAudit(runtime, { ...other, cursor })).rejects.toMatchObject({
      code: 'invalid_request',
    });
});

test('browseAudit repeats and misses no entry when others arrive between pages', async () => {
  // So late that the other tests do not see them.
  let n = DAY_MS / 2;
  const arrive = () => storeEntries(runtime, FUNCTIONS, [lineOf(entryAt(NOON + ++n, n))]);
  clock.time = NOON + n + 1000;
  const pages = await entriesOf({ limit: 90, until: NOON + 1 }, undefined, arrive);
  expect(pages.flat()).toEqual(history);
  expect(await entriesOf({ limit: 90, since: NOON + 1 }, undefined, arrive)).toHaveLength(1);
});

test('browseAudit lists the entries of a token of an account that is named by an email address', async () => {
  clock.time = NOON + 2 * DAY_MS;
  const token = tokenSubject('ci', 'eve@example.org');
  await storeEntries(runtime, FUNCTIONS, [JSON.stringify({ ...entryAt(clock.time, 0), ...token })]);
  expect((await entriesOf({ target: token.target as string, since: clock.time })).flat()).toHaveLength(1);
});

test('browseAudit lists the entries of an operator whose clock is at most five minutes ahead', async () => {
  const [first, last] = [NOON + DAY_MS, NOON + DAY_MS + 1];
  await storeEntries(
    runtime,
    FUNCTIONS,
    [first, last].map((time) => lineOf(entryAt(time, 0))),
  );
  const listedAt = async (time: number) => {
    clock.time = time - 300_000;
    return (await entriesOf({ since: first })).flat().length;
  };
  expect([await listedAt(last), await listedAt(first), await listedAt(first - 1)]).toEqual([2, 1, 0]);
});

test('browseAudit lists the entries of a batch only', async () => {
  const start = NOON + 5 * DAY_MS;
  clock.time = start + DAY_MS;
  const entries = [1, 1, 2, 3].map((batch, n) => ({
    ...entryAt(start + n, n),
    details: batch === 3 ? null : { fields: [], batch: uuidOf(batch), batch_size: 2 },
  }));
  await storeEntries(runtime, FUNCTIONS, entries.map(lineOf));
  expect((await entriesOf({ since: start, batch: uuidOf(1) }, 2)).flat()).toEqual([entries[1], entries[0]]);
  expect((await entriesOf({ since: start, batch: uuidOf(4) })).flat()).toEqual([]);
  const { next_cursor: cursor } = await browseAudit(runtime, { batch: uuidOf(1), limit: 1 });
  await expect(browseAudit(runtime, { batch: uuidOf(2), cursor })).rejects.toMatchObject({
    code: 'invalid_request',
  });
});

/** Stores entries a millisecond apart, each with an actor and a subject. @returns the time of the first one */
async function entriesAbout(time: number, about: readonly Partial<AuditLine>[]) {
  clock.time = time + DAY_MS;
  const entries = about.map((part, n) => ({ ...entryAt(time + n, n), outcome: 'ok', ...part }));
  await storeEntries(
    runtime,
    FUNCTIONS,
    entries.map((entry) => JSON.stringify({ level: 'audit', ...entry })),
  );
  return entries.reverse();
}

test('browseAudit adds the present names of the accounts that an entry names, only on request', async () => {
  const named = async (username: string, first: string, last: string) => {
    await createAccount(runtime, { username, user_first_name: first, user_last_name: last });
  };
  await named('Emma.M', 'Emma', 'Müller');
  await named('li@example.org', ' 李 ', '');
  await named('nameless', '', '');
  await named('example.org', 'Somebody', 'Else');
  await named('core', 'Not', 'A Team');
  const time = NOON + 7 * DAY_MS;
  const entries = await entriesAbout(time, [
    { actor: 'emma.m', target: 'li@example.org' },
    { actor: 'li@example.org', ...tokenSubject('ci', 'emma.m'), action: 'token.create' },
    { actor: 'emma.m', ...tokenSubject('ci', 'li@example.org'), action: 'oauth.revoke' },
    { actor: 'operator:emma.m', target: 'nameless' },
    { actor: null, target: `erased:${uuidOf(1)}`, details: null },
    { actor: 'nobody', target: null },
    { actor: 'secrets-manager', target: 'kid' },
    { actor: 'emma.m', target: 'core', action: 'team.create' },
  ]);
  const request = { since: time, limit: 100 };
  const [emma, li] = ['Emma Müller', '李'];
  const names: [string | null, string | null][] = [
    [emma, li],
    [li, emma],
    [emma, li],
    [null, null],
    [null, null],
    [null, null],
    [null, null],
    [emma, null],
  ];
  const expected = entries.map(({ account: _, ...entry }: AuditLine, n) => {
    const [actor_name, target_name] = names.toReversed()[n] ?? [];
    return { ...entry, actor_name, target_name };
  });
  expect((await browseAudit(runtime, { ...request, names: true })).items).toEqual(expected);
  const plain = (await browseAudit(runtime, request)).items;
  expect(JSON.stringify(plain)).not.toContain('_name"');
});

test('browseAudit reads each named account once, by the attributes of its name, and none without names', async () => {
  const time = NOON + 9 * DAY_MS;
  const names = ['User-A', 'user-a', 'USER-B', 'operator:ada', 'secrets-manager'];
  await entriesAbout(
    time,
    names.map((actor) => ({ actor, target: 'user-a' })),
  );
  const batches = async (names?: boolean) => {
    wire.reset();
    const { items } = await browseAudit(runtime, { since: time, limit: 10, names });
    expect(items).toHaveLength(5);
    return wire.commands.filter(({ operation }) => operation === 'BatchGetItem');
  };
  expect(await batches()).toEqual([]);
  const [one, ...more] = await batches(true);
  expect(more).toEqual([]);
  const [{ Keys, ...asked }] = Object.values(one?.input['RequestItems'] ?? {}) as [{ Keys: object[] }];
  expect(Keys).toEqual(
    ['user-a', 'user-b'].map((name) => ({ PK: { S: `ACCOUNT#${name}` }, SK: { S: 'ACCOUNT' } })),
  );
  expect(asked).toMatchObject({
    ConsistentRead: false,
    ExpressionAttributeNames: { '#0': 'PK', '#1': 'SK', '#2': 'user_first_name', '#3': 'user_last_name' },
  });
});

test('a page with names has at most 500 entries, and its cursor goes on with and without names', async () => {
  const time = NOON + 11 * DAY_MS;
  const entries = await entriesAbout(
    time,
    Array.from({ length: MAX_NAMED + 1 }, () => ({ actor: 'ada', target: 'bob' })),
  );
  const first = await browseAudit(runtime, { since: time, names: true });
  expect([first.items.length, first.next_cursor !== undefined]).toEqual([500, true]);
  for (const names of [true, false]) {
    const { items, next_cursor } = await browseAudit(runtime, {
      ...{ since: time, names, cursor: first.next_cursor },
    });
    expect([items.map((item) => item.requestId), next_cursor]).toEqual([
      [entries.at(-1)?.requestId],
      undefined,
    ]);
  }
});

test('browseAudit omits stored items that are no entries', async () => {
  const [valid, actor, details] = [0, 1, 2].map((n) => entryAt(NOON + 3 * DAY_MS + n, 0)) as [
    AuditEntry,
    AuditEntry,
    AuditEntry,
  ];
  const damaged = [
    { ...actor, actor: { a: 1 } },
    { ...details, details: { a: { b: {} } } },
  ];
  for (const item of damaged) await put(table, auditKey(item.time, ''), { ...item, ttl: 2 ** 32 } as never);
  await storeEntries(runtime, FUNCTIONS, [lineOf(valid)]);
  clock.time = NOON + 4 * DAY_MS;
  const since = Date.parse(valid.time);
  expect((await entriesOf({ since })).flat()).toEqual([valid]);
  expect((await entriesOf({ since, actor: 'admin' })).flat()).toEqual([valid]);
});

test.each([
  // A query of a shard has its part of the page as limit, and three standard deviations.
  ['the newest entries', { request: { limit: 100 }, queries: SHARDS, rounds: 1, units: 16 }],
  [
    'entries of three months with quiet weeks between them',
    { request: { limit: 20, until: own }, queries: 3 * SHARDS, rounds: 3, units: 24 },
  ],
  // Refusals of others are in a list of their own.
  ['a target', { request: { limit: 100, target: 'user-0' }, queries: 2, rounds: 1, units: 4 }],
  [
    'an account and its tokens',
    { request: { limit: 20, target: 'user-1' }, queries: 2, rounds: 1, units: 1.5 },
  ],
  ['a token', { request: { limit: 20, target: 'ci@user-1' }, queries: 4, rounds: 1, units: 2.5 }],
  [
    'a time without entries of a target',
    {
      request: { target: 'user-2', until: NOON - DAY_MS, since: NOON - 49 * DAY_MS },
      queries: 2,
      rounds: 1,
      units: 1,
    },
  ],
])('a page of %s has a fixed cost', async (_, { request, queries, rounds, units }) => {
  await browseAudit(runtime, {});
  wire.reset();
  await browseAudit(runtime, request);
  const consumed = wire.commands.reduce((sum, command) => sum + command.units, 0);
  expect([wire.commands.length, roundTrips(wire.commands), consumed]).toEqual([queries, rounds, units]);
});
