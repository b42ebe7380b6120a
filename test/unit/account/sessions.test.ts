import { expect, test } from 'vitest';
import { hasEnded, listedEnds, MAX_ENDED, readEnds, withEnded } from '#lib/account/ended';
import { endSession, listSessions } from '#lib/account/sessions';
import type { Account } from '#lib/item/account';
import type { SessionRecord } from '#lib/item/session';
import { CLOCK_SKEW_SECONDS } from '#lib/session/session-token';
import { endedKey } from '#lib/table/keys';
import { COLLISION } from '../../wire/dynamodb-proxy.ts';
import { NOON, openTestTable } from '../support/engine.ts';
import { accountItem, storedSession, uuidOf } from '../support/items.ts';
import { failing } from '../table/inputs.ts';

const { table, runtime, account, stored, operations, wire } = await openTestTable();

const END = NOON / 1000 + 3600;
/** The end of another session, which has not expired. */
const LIVE = { at: NOON, until: END };
const NOT_FOUND = { code: 'session_not_found' };

/** Records a session of an account, by default one that is open. */
async function recorded(of: Account, n: number, part: Partial<SessionRecord> = {}) {
  const id = await storedSession(table, of, { id: uuidOf(n), ttl: END, ...part });
  wire.reset();
  return id;
}
const idsOf = async (of: Account) => (await listSessions(runtime, of)).items.map(({ id }) => id);

test('listSessions lists open sessions, newest first, with exactly their public fields, by one query each of sessions and keys', async () => {
  const ada = await account();
  const own = await recorded(ada, 1);
  const other = await recorded(ada, 2, { credential: 'ci', secret: 'a', user_agent: null });
  await recorded(await account(), 3);
  const shown = { created_at: '2026-11-20T11:00:00.000Z', address: '192.0.2.1' };
  const expires_at = new Date(END * 1000).toISOString();
  expect(await listSessions(runtime, ada)).toEqual({
    items: [
      { id: other, ...shown, expires_at, user_agent: null, credential: 'ci' },
      { id: own, ...shown, expires_at, user_agent: 'test', credential: null },
    ],
  });
  expect(operations()).toEqual(['Query', 'Query']);
});

test.each<[string, Partial<SessionRecord>, Pick<Account, 'ended'>]>([
  ['it has expired', { ttl: NOON / 1000 }, {}],
  ['the stamp has changed', { stamp: 'former' }, {}],
  ['it has ended', {}, { ended: { [uuidOf(1)]: { at: NOON, until: END } } }],
  ['no key verifies it', { kid: 'revoked' }, {}],
  ['its token has ended', { secret: 'a' }, { ended: { a: { at: NOON, until: END } } }],
])('listSessions omits a session when %s', async (_why, record, attributes) => {
  const ada = await account(attributes);
  const id = await recorded(ada, 1, record);
  expect(await idsOf(ada)).toEqual([]);
  await expect(endSession(runtime, ada, id)).rejects.toMatchObject(NOT_FOUND);
});

test('listSessions lists a session until the overlap of its rotated token ends', async () => {
  const ada = await account({ ended: { a: { at: NOON + 1, until: END } } });
  const id = await recorded(ada, 1, { secret: 'a' });
  const { items } = await listSessions(runtime, ada);
  expect(items).toMatchObject([{ id, expires_at: new Date(NOON + 1).toISOString() }]);
});

test('listSessions pages by a cursor, and a page may be short', async () => {
  const ada = await account();
  for (const n of [1, 2, 3, 4]) await recorded(ada, n, n === 3 ? { stamp: 'former' } : {});
  const first = await listSessions(runtime, ada, { limit: 2 });
  expect(first.items.map(({ id }) => id)).toEqual([uuidOf(4)]);
  const last = await listSessions(runtime, ada, { cursor: first.next_cursor });
  expect(last.items.map(({ id }) => id)).toEqual([uuidOf(2), uuidOf(1)]);
  expect(last).not.toHaveProperty('next_cursor');
});

test('endSession ends one session until it would expire, and no other', async () => {
  const ada = await account();
  const [one, other] = [await recorded(ada, 1), await recorded(ada, 2)];
  expect(await endSession(runtime, ada, one)).toEqual({ username: ada.username, id: one });
  const after = await stored(ada);
  expect(after.ended).toEqual({ [one]: { at: 0, until: END } });
  expect([hasEnded(listedEnds(after), [one], NOON), after.stamp]).toEqual([true, ada.stamp]);
  expect(await idsOf(after)).toEqual([other]);
});

test('endSession refuses an unknown session like one of another account, and writes nothing', async () => {
  const [ada, id] = [await account(), await recorded(await account(), 1)];
  const before = await stored(ada);
  for (const unknown of [uuidOf(9), id])
    await expect(endSession(runtime, ada, unknown)).rejects.toMatchObject(NOT_FOUND);
  expect(await stored(ada)).toEqual(before);
});

test('endSession loses no ending of parallel ones', async () => {
  const ada = await account();
  const numbers = Array.from({ length: 20 }, (_, n) => n);
  const ids = await Promise.all(numbers.map((n) => recorded(ada, n)));
  await Promise.all(ids.map((id) => endSession(runtime, ada, id)));
  const after = await stored(ada);
  expect([Object.keys(after.ended ?? {}).sort(), after.stamp]).toEqual([ids, ada.stamp]);
  expect(await idsOf(after)).toEqual([]);
});

test('endSession succeeds after many collisions with other transactions', async () => {
  const ada = await account();
  const id = await recorded(ada, 1);
  wire.script(failing(COLLISION, 9, 'TransactWriteItems'));
  expect(await endSession(runtime, ada, id)).toEqual({ username: ada.username, id });
});

test('endSession succeeds once for one session', async () => {
  const ada = await account();
  const id = await recorded(ada, 1);
  const all = await Promise.allSettled(Array.from({ length: 10 }, () => endSession(runtime, ada, id)));
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const one of all) if (one.status === 'rejected') expect(one.reason).toMatchObject(NOT_FOUND);
});

/** An account that has ended as many sessions as its item lists. */
const full = (ended_until?: number) =>
  account({
    ended: Object.fromEntries([...Array(MAX_ENDED).keys()].map((n) => [uuidOf(n + 1000), LIVE])),
    ...(ended_until !== undefined && { ended_until }),
  });

test('endSession ends one session and no other, however many have ended', async () => {
  const ada = await full();
  const numbers = Array.from({ length: 30 }, (_, n) => n);
  const ids = await Promise.all(numbers.map((n) => recorded(ada, n)));
  const other = await recorded(ada, 99);
  await Promise.all(ids.map((id) => endSession(runtime, ada, id)));
  const after = await stored(ada);
  expect([after.ended, after.stamp, after.ended_until]).toEqual([ada.ended, ada.stamp, END]);
  expect(await idsOf(after)).toEqual([other]);
  for (const id of ids) await expect(endSession(runtime, after, id)).rejects.toMatchObject(NOT_FOUND);
});

test('listSessions reads the ends of more sessions than a batch has', async () => {
  const ada = await full(END);
  const numbers = Array.from({ length: 60 }, (_, n) => n);
  const ids = await Promise.all(numbers.map((n) => recorded(ada, n, { secret: `${n}` })));
  await endSession(runtime, ada, ids[59] as string);
  expect(await idsOf(await stored(ada))).toEqual(ids.slice(0, -1).reverse());
});

test('readEnds reads nothing more when the ends apart have expired', async () => {
  const ended_until = NOON / 1000 - CLOCK_SKEW_SECONDS;
  for (const [until, reads] of [
    [ended_until + 1, 1],
    [ended_until, 0],
  ] as const) {
    wire.reset();
    await readEnds(table, accountItem({ ended_until: until }), [uuidOf(1), undefined], NOON);
    expect(operations()).toHaveLength(reads);
  }
});

test('withEnded keeps the entries whose sessions have not expired, to the second', () => {
  const until = NOON / 1000 - CLOCK_SKEW_SECONDS;
  const ended = { past: { at: 0, until }, skewed: { at: 0, until: until + 1 } };
  expect(withEnded(accountItem({ ended }), { new: LIVE }, NOON)).toEqual({
    to: { ended: { skewed: ended.skewed, new: LIVE } },
    writes: [],
  });
});

test('withEnded replaces an entry of a full account in place, and gives new ones items of their own', () => {
  const ended = Object.fromEntries(Array.from({ length: MAX_ENDED }, (_, n) => [`${n}`, LIVE]));
  const later = { at: NOON + 1, until: END + 9 };
  const ada = accountItem({ ended, ended_until: END + 5 });
  expect(withEnded(ada, { 0: later }, NOON)).toEqual({ to: { ended: { ...ended, 0: later } }, writes: [] });
  const { to, writes } = withEnded(ada, { 0: later, new: LIVE }, NOON);
  expect(to).toEqual({ ended: { ...ended, 0: later }, ended_until: END + 5 });
  expect(writes.map(({ Update }) => [Update?.Key, Update?.ExpressionAttributeValues])).toEqual([
    [endedKey(ada.username, 'new'), { ':to_ended_at': NOON, ':to_ttl': END + 5 + CLOCK_SKEW_SECONDS }],
  ]);
});
