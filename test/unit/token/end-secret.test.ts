import { expect, test } from 'vitest';
import { hasEnded, listedEnds, MAX_ENDED, readEnds } from '#lib/account/ended';
import type { Account } from '#lib/item/account';
import { CLOCK_SKEW_SECONDS } from '#lib/session/session-token';
import { assign } from '#lib/table/expressions';
import { tokenKey } from '#lib/table/keys';
import { update } from '#lib/table/write';
import { createLoginToken } from '#lib/token/create';
import { deleteToken } from '#lib/token/delete';
import { LOGIN_TOKEN } from '#lib/token/record';
import { rotateToken } from '#lib/token/rotate';
import { hashApiToken, secretId } from '#lib/token/secret';
import { by, NOON, openTestTable } from '../support/engine.ts';
import { setAttributes } from '../support/set-attributes.ts';

const { table, wire, runtime, account, stored, operations } = await openTestTable();
/** The last second in which a session may still be valid. */
const UNTIL = NOON / 1000 - CLOCK_SKEW_SECONDS + 1;
const root = by('root');

/** An account with a token that has logged in a session. */
async function open(session_until: number) {
  const owner = await account();
  const { value } = await createLoginToken(runtime, owner, root);
  const sha256 = hashApiToken(value);
  const note = (until: number) =>
    update(table, { Key: tokenKey(sha256), ...assign({ session_until: until }, {}) });
  await note(session_until);
  const read = await stored(owner);
  wire.reset();
  return { owner: read, id: secretId(sha256), note };
}

/** Rules that end a secret. */
const ENDS: readonly [string, (owner: Account) => Promise<unknown>][] = [
  ['deleteToken', (owner) => deleteToken(runtime, owner, LOGIN_TOKEN, root)],
  ['createLoginToken', (owner) => createLoginToken(runtime, owner, root)],
];

test.each(ENDS)('%s succeeds although twenty other changes of the account are faster', async (_name, end) => {
  const { owner } = await open(UNTIL);
  let changes = 0;
  wire.script(async (operation) => {
    if (operation === 'TransactWriteItems' && changes < 20)
      await setAttributes(table, owner, { transitions: ++changes });
    return undefined;
  });
  await end(owner);
  expect(changes).toBe(20);
});

test.each(ENDS)('%s ends the sessions of the token, and reads nothing more', async (_name, end) => {
  const { owner, id } = await open(UNTIL);
  await end(owner);
  const reads = operations().filter((operation) => /Get|Query/.test(operation));
  expect(reads).toEqual(['GetItem']);
  expect(operations().filter((operation) => operation === 'TransactWriteItems')).toHaveLength(2);
  const after = await stored(owner);
  expect(after.ended).toEqual({ [id]: { at: 0, until: UNTIL } });
  expect([hasEnded(listedEnds(after), [id], NOON), after.stamp]).toEqual([true, owner.stamp]);
});

test.each(ENDS)('%s lists no session that has expired', async (_name, end) => {
  const { owner } = await open(NOON / 1000 - CLOCK_SKEW_SECONDS);
  await end(owner);
  expect((await stored(owner)).ended).toBeUndefined();
});

test.each<readonly [string, (owner: Account) => Promise<unknown>, number]>([
  ...ENDS.map((row) => [...row, 2] as const),
  ['rotateToken with an overlap', (owner) => rotateToken(runtime, owner, LOGIN_TOKEN, root, 60), 1],
])('%s ends a session that the token logs in meanwhile', async (_name, end, transaction) => {
  const { owner, id, note } = await open(UNTIL);
  wire.before('TransactWriteItems', () => note(UNTIL + 60), transaction);
  await end(owner);
  expect((await stored(owner)).ended).toMatchObject({ [id]: { until: UNTIL + 60 } });
});

test.each(ENDS)('%s refuses the sessions of a former secret until the last expires', async (_name, end) => {
  const until = NOON / 1000 + 86_400;
  const { owner, id } = await open(until);
  await rotateToken(runtime, owner, LOGIN_TOKEN, root, 60);
  await end(await stored(owner));
  expect((await stored(owner)).ended).toEqual({ [id]: { at: 0, until } });
});

test('deleteToken ends the sessions of a former secret whose later end the account had no room for', async () => {
  const until = NOON / 1000 + 86_400;
  const { owner, id } = await open(until);
  const others = Array.from({ length: MAX_ENDED }, (_, n) => [`${n}`, { at: 0, until }] as const);
  await setAttributes(table, owner, { ended: Object.fromEntries(others) });
  await rotateToken(runtime, await stored(owner), LOGIN_TOKEN, root, 60);
  await setAttributes(table, owner, { ended: {} });
  await deleteToken(runtime, await stored(owner), LOGIN_TOKEN, root);
  const ends = await readEnds(table, await stored(owner), [id], NOON);
  expect([...ends]).toEqual([[id, 0]]);
});
