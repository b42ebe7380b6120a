import { expect, test } from 'vitest';
import { browseAudit } from '#lib/audit/browse';
import { MAX_SOURCES } from '#lib/audit/fold';
import { storeEntries } from '#lib/audit/store';
import { streamOf, VERIFIED } from '#lib/audit/streams';
import type { ListedEntry } from '#lib/item/audit-entry';
import { hashWith } from '#lib/pseudonym/erasure-key';
import { actsOf } from '#lib/table/keys';
import { query } from '#lib/table/read';
import { HOUR_MS } from '#lib/time';
import { NOON, openTestTable } from '../support/engine.ts';

const { table, runtime, wire } = await openTestTable();

const HOUR = NOON - HOUR_MS;
const isoAt = (ms: number) => new Date(HOUR + ms).toISOString();

let requests = 0;
/** The line of a refusal, so many milliseconds after eleven; each of another request. */
const refusal = (ms: number, more: object = {}) =>
  JSON.stringify({
    level: 'audit',
    time: isoAt(ms),
    actor: 'stranger',
    action: 'account.profile',
    target: expect.getState().currentTestName,
    outcome: 'forbidden',
    changed: false,
    source: '192.0.2.1',
    requestId: `r${++requests}`,
    ...more,
  });
const store = (lines: readonly string[], source = 'a', stream = VERIFIED) =>
  storeEntries(runtime, stream, lines, source);
const listed = async (target = expect.getState().currentTestName as string) =>
  (await browseAudit(runtime, { target })).items;
const factsOf = ({ time, count, first_at, last_at, sources }: ListedEntry) => [
  time,
  count,
  first_at,
  last_at,
  sources,
];

test('storeEntries folds refusals of an hour into one entry with count, first and last time, and sources', async () => {
  await store([refusal(2), refusal(5, { source: '192.0.2.2' })]);
  await store([refusal(9), refusal(HOUR_MS)], 'b');
  const [later, earlier, ...others] = await listed();
  expect(others).toEqual([]);
  expect(factsOf(earlier as ListedEntry)).toEqual([
    ...[isoAt(0), 3, isoAt(2), isoAt(9)],
    ['192.0.2.1', '192.0.2.2'],
  ]);
  expect(earlier).toMatchObject({ actor: 'stranger', outcome: 'forbidden', changed: false, requestId: 'r3' });
  expect(factsOf(later as ListedEntry)).toEqual([
    ...[isoAt(HOUR_MS), 1, isoAt(HOUR_MS), isoAt(HOUR_MS)],
    ['192.0.2.1'],
  ]);
});

test('storeEntries keeps refusals apart by actor, action, outcome and cause, and does not fold other entries', async () => {
  const causes = ['wrong_password', 'no_password'].map((cause) => ({
    outcome: 'invalid_credentials',
    details: { cause },
  }));
  const kinds = [
    {},
    { actor: null },
    { action: 'account.lock' },
    { outcome: 'too_many_requests' },
    ...causes,
  ];
  const all = [...kinds, { outcome: 'ok' }, { outcome: 'account_locked' }];
  await store(all.flatMap((more, n) => [refusal(n, more), refusal(20 + n, more)]));
  const items = await listed();
  expect(items.map(({ count }) => count ?? 1).toSorted()).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 2, 2]);
});

test('a line that comes again is not counted again, and the count is a minimum', async () => {
  const batches = [1, 4, 8].map((ms) => [refusal(ms), refusal(ms + 2)]);
  for (const batch of [...batches, ...batches.toReversed()]) await store(batch);
  expect((await listed()).map(({ count }) => count)).toEqual([6]);
  await store(batches.flat());
  expect((await listed()).map(({ count }) => count)).toEqual([6]);
});

test('batches that are stored at the same time are all counted', async () => {
  const streams = ['a', 'b', 'c', 'd', 'e'];
  await Promise.all(streams.map((source, n) => store([refusal(n), refusal(n + 10)], source)));
  expect((await listed()).map(factsOf)).toEqual([[isoAt(0), 10, isoAt(0), isoAt(14), ['192.0.2.1']]]);
});

test('an entry has ten sources at most, and few bytes whatever streams and sources there are', async () => {
  for (let n = 0; n < 40; n++) await store([refusal(n, { source: `198.51.100.${n}` })], `stream-${n}`);
  const [entry] = await listed();
  expect(entry?.sources).toHaveLength(MAX_SOURCES);
  expect(entry?.count).toBe(40);
  wire.reset();
  await store([refusal(200)], 'another');
  // The item and its copy in the index: two units each.
  expect(wire.commands.reduce((sum, { units }) => sum + units, 0)).toBeLessThanOrEqual(6);
});

test('strangers cannot bury the entries about a person: 2,000 refusals are one entry', async () => {
  const target = expect.getState().currentTestName as string;
  await store([refusal(0, { actor: 'admin', action: 'account.lock', outcome: 'ok' })]);
  for (let batch = 0; batch < 20; batch++)
    await store(Array.from({ length: 100 }, (_, n) => refusal(batch * 100 + n)));
  const { items } = await browseAudit(runtime, { target, limit: 10 });
  expect(items.map(({ action, count = 1 }) => `${action} ${count}`)).toEqual([
    expect.stringMatching('account.(lock 1|profile 2000)'),
    expect.stringMatching('account.(lock 1|profile 2000)'),
  ]);
});

test('refusals of many actors in one batch cost one read of a hundred entries, and three units each', async () => {
  wire.reset();
  await store(Array.from({ length: 50 }, (_, n) => refusal(n, { actor: `stranger-${n}` })));
  expect(
    wire.commands.map(({ operation }) => operation).filter((one) => one === 'BatchGetItem'),
  ).toHaveLength(2);
  const units = wire.commands
    .filter(({ operation }) => !/Get/.test(operation))
    .reduce((sum, command) => sum + command.units, 0);
  expect(units).toBe(150);
});

test('the key of an entry reveals no name without the key of erased names', async () => {
  const guess = 'guessed';
  await store([refusal(0, { target: guess })]);
  const other = { ...runtime, hashName: async (name: string) => hashWith('another key', name) };
  await storeEntries(other, VERIFIED, [refusal(0, { target: guess })]);
  expect(await listed(guess)).toHaveLength(2);
});

test('an outcome of a command is not folded', async () => {
  await store([refusal(1), refusal(2)], 'a', streamOf('support'));
  expect((await listed()).map(({ count }) => count)).toEqual([undefined, undefined]);
});

test('what a person did to others is found by the person, once for refusals of an hour', async () => {
  const done = { outcome: 'ok', actor: 'doer' };
  await store([refusal(1, done), refusal(2, { actor: 'doer' }), refusal(3, { actor: 'doer' })]);
  await store([
    refusal(4, { actor: 'doer' }),
    refusal(5, { ...done, target: 'doer' }),
    refusal(6, { actor: null }),
  ]);
  const acts = await query(table, actsOf('Doer', { after: '2026', before: '2027' }));
  expect(acts).toHaveLength(2);
});
