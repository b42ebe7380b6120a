import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { browseAudit } from '#lib/audit/browse';
import { storeEntries } from '#lib/audit/store';
import { FUNCTIONS } from '#lib/audit/streams';
import { type AuditEntry, tokenSubject } from '#lib/item/audit-entry';
import { auditKey, cursorSecretKey, SHARDS } from '#lib/table/keys';
import { put } from '#lib/table/write';
import { DAY_MS } from '#lib/time';
import { roundTrips } from '../../wire/dynamodb-proxy.ts';
import { NOON, openTestTable } from '../support/engine.ts';
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
