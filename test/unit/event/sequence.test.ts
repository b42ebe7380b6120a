import { readFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { lockAccount, unlockAccount } from '#lib/account/lifecycle/lock';
import { reactivateAccount } from '#lib/account/lifecycle/reactivate';
import { EVENT_TYPES, type EventType } from '#lib/instance/settings';
import type { Account } from '#lib/item/account';
import { sequenceOf } from '#lib/item/sequence';
import { publishNow } from '#lib/outbox/publish-now';
import { outboxKey } from '#lib/table/keys';
import { put } from '#lib/table/write';
import { DAY_MS } from '#lib/time';
import { createToken } from '#lib/token/create';
import { announceTokens } from '#lib/token/expiring';
import { revokeAllTokens } from '#lib/token/revoke';
import { type Received, receive } from '../../../infra/example/sequence.ts';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { by, NOON, openTestTable } from '../support/engine.ts';
import { FAILED, openTestBus } from '../support/event-bus.ts';
import { eventItem } from '../support/items.ts';
import { logLines } from '../support/log-lines.ts';

const { table, runtime, account, stored, wire, clock } = await openTestTable({ Events: EVENT_TYPES.join() });
const bus = await openTestBus();
logLines();
const announcing = { ...runtime, publish: bus.publish };
/** An instance that publishes only these types, and those that are always published. */
const publishing = (...Events: EventType[]) => ({
  ...announcing,
  settings: { ...runtime.settings, Events },
});
const admin = by('admin');

let owner: Account;
beforeEach(async () => {
  owner = await account();
});

/** The numbers of the published events of a type, in the order of their publication. */
const published = (type: EventType) =>
  bus.calls
    .flat()
    .filter(({ DetailType }) => DetailType === type)
    .map(({ Detail }) => (JSON.parse(Detail) as { sequence?: number }).sequence);
const ascending = (type: EventType) => published(type).toSorted((one = 0, other = 0) => one - other);
const upTo = (n: number) => Array.from({ length: n }, (_, index) => index + 1);

/** Creates tokens at once, all for the account as it was read before. */
const createAtOnce = (count: number, given = announcing, terms = {}) =>
  Promise.all(upTo(count).map((n) => createToken(given, owner, `t${n}`, admin, terms)));
async function lockAndUnlock(given: typeof announcing) {
  await lockAccount(given, await stored(owner), admin);
  await unlockAccount(given, await stored(owner), admin);
}

test('sequence counts 1 to 20 when 20 changes of an account are made at once', async () => {
  await createAtOnce(20);
  expect(ascending('token_create')).toEqual(upTo(20));
  expect(await stored(owner)).toMatchObject({ token_count: 20, sequence_token_create: 20 });
});

test('sequence counts each type of event and each account alone', async () => {
  const other = await account();
  for (let n = 0; n < 2; n++) {
    await lockAndUnlock(announcing);
    await cancelAccount(announcing, await stored(owner), admin);
    await reactivateAccount(announcing, await stored(owner), admin);
  }
  for (const type of ['user_lock', 'user_unlock', 'user_cancel', 'user_reactivate'] as const)
    expect([type, ...published(type)]).toEqual([type, 1, 2]);
  bus.calls.length = 0;
  await lockAccount(announcing, other, admin);
  expect(published('user_lock')).toEqual([1]);
});

test('sequence begins at 1 when a type is turned on later, and goes on when it is turned on again', async () => {
  await lockAndUnlock(publishing('user_unlock'));
  expect(published('user_unlock')).toEqual([1]);
  expect(await stored(owner)).not.toHaveProperty(sequenceOf('user_lock'));
  await lockAndUnlock(publishing('user_lock'));
  expect(published('user_lock')).toEqual([1]);
  await lockAndUnlock(announcing);
  expect([published('user_lock'), published('user_unlock')]).toEqual([
    [1, 2],
    [1, 2],
  ]);
});

test('sequence skips no number when changes fail or change nothing', async () => {
  await createToken(announcing, owner, 'ci', admin);
  const again = createToken(announcing, await stored(owner), 'ci', admin);
  await expect(again).rejects.toMatchObject({ code: 'token_exists' });
  wire.script((operation) => (operation === 'TransactWriteItems' ? DOWN : undefined));
  await expect(createToken(announcing, owner, 'down', admin)).rejects.toThrow();
  wire.reset();
  await lockAccount(announcing, await stored(owner), admin);
  await lockAccount(announcing, await stored(owner), admin);
  await createToken(announcing, await stored(owner), 'next', admin);
  expect([published('token_create'), published('user_lock')]).toEqual([[1, 2], [1]]);
});

test('sequence is the same when the event is published again', async () => {
  await createToken(announcing, owner, 'first', admin);
  bus.script(() => ({ FailedEntryCount: 1, Entries: [FAILED] }));
  await createToken(announcing, await stored(owner), 'second', admin);
  bus.script(() => undefined);
  await createToken(announcing, await stored(owner), 'third', admin);
  bus.calls.length = 0;
  await publishNow(announcing, { publish: 'all' });
  expect(published('token_create')).toEqual([2]);
});

test('an event that an earlier version left in the outbox is published without a sequence', async () => {
  const { id, createdAt, detailType } = eventItem(1);
  const detail = JSON.stringify({ id, username: 'ada', transition: 3 });
  await put(table, outboxKey(id), { id, createdAt, detailType, detail });
  await publishNow(announcing, { publish: [id] });
  expect(bus.calls.flat().map(({ Detail }) => Detail)).toEqual([detail]);
});

test('sequence counts each deletion when all tokens of an account are revoked at once', async () => {
  await createAtOnce(25, publishing());
  await revokeAllTokens(announcing, await stored(owner), admin);
  expect(published('token_delete')).toEqual(upTo(25));
  expect(bus.faults()).toEqual([]);
});

test('sequence counts each reminder when two runs announce 20 tokens of an account', async () => {
  await createAtOnce(20, publishing('token_expiring'), { expires_at: NOON + 10 * DAY_MS });
  clock.time = NOON + 8 * DAY_MS;
  await Promise.all([announceTokens(announcing, 'run-1'), announceTokens(announcing, 'run-2')]);
  expect(ascending('token_expiring')).toEqual(upTo(20));
});

test.each<[string, readonly number[], readonly number[]]>([
  ['numbers that follow one another', [1, 2, 3], []],
  ['a first number above 1', [5, 6], []],
  ['a gap', [1, 4], [2, 3]],
  ['two gaps, of which one is filled later', [1, 3, 5, 4], [2]],
  ['a repeated number', [1, 3, 3, 1], [2]],
  ['a number from before the first', [5, 2, 6], []],
])('receive finds what is missing after %s', (_what, numbers, missing) => {
  const received = numbers.reduce<Received | undefined>(receive, undefined);
  expect(received?.missing).toEqual(missing);
});

test('the page for subscribers shows the code that finds missing events', () => {
  const code = readFileSync('infra/example/sequence.ts', 'utf8');
  expect(readFileSync('lib/event/README.md', 'utf8')).toContain(code.slice(code.indexOf('export function')));
});
