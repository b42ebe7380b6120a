import { beforeEach, expect, test } from 'vitest';
import { removeRevoked } from '#lib/account/tokens/remove';
import { endGeneration } from '#lib/account/tokens/revocation';
import { authenticateApiToken } from '#lib/auth/authenticate';
import type { Account } from '#lib/item/account';
import type { Revocation } from '#lib/item/token';
import { allRevocations, tokenNames } from '#lib/table/keys';
import { query } from '#lib/table/read';
import { createToken } from '#lib/token/create';
import { browseTokens, listTokens } from '#lib/token/list';
import { GRACE_MS, removeLeft } from '#lib/token/remove-revoked';
import { revokeAllTokens } from '#lib/token/revoke';
import { rotateToken } from '#lib/token/rotate';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { by, NOON, openTestTable } from '../support/engine.ts';
import { logLines } from '../support/log-lines.ts';
import { removeAll } from '../support/remove-all.ts';
import { setAttributes } from '../support/set-attributes.ts';

logLines();
const { table, wire, clock, runtime, account, stored } = await openTestTable({ Events: 'token_delete' });
const admin = by('admin');

/** Names of the tokens whose deletion was published. */
let published: string[] = [];
beforeEach(async () => {
  await removeAll(table, await query(table, allRevocations));
  published = [];
});
const announcing = {
  ...runtime,
  publish: async (events: readonly { readonly detail: unknown }[]) => {
    published.push(...events.map(({ detail }) => (detail as { token_name: string }).token_name));
    return [];
  },
};

const create = async (owner: Account, name: string) => createToken(runtime, await stored(owner), name, admin);
const namesOf = async (owner: Account) =>
  (await listTokens(runtime, await stored(owner))).items.map(({ name }) => name);
/** Ends all tokens, and leaves their items. */
const end = async (owner: Account) => endGeneration(runtime, await stored(owner), admin);
const left = async (owner: Account) =>
  (await query(table, allRevocations)).filter(({ revoked_of }) => revoked_of === owner.username);

/** An account with a token of each name. */
async function ownerOf(...names: readonly string[]) {
  const owner = await account();
  for (const name of names) await create(owner, name);
  wire.reset();
  return { owner };
}

test('removeRevoked publishes the deletion of a token whose name has another one', async () => {
  const { owner } = await ownerOf('ci', 'cd');
  const { revocation } = await end(owner);
  const next = await create(owner, 'ci');
  expect(await removeRevoked(announcing, revocation, NOON)).toBe(true);
  expect(published).toEqual(['cd', 'ci']);
  await authenticateApiToken(runtime, { value: next.value, address: undefined });
  expect(await namesOf(owner)).toEqual(['ci']);
});

test('removeRevoked removes each generation with the actor of its revocation', async () => {
  const { owner } = await ownerOf('a');
  await end(owner);
  await create(owner, 'b');
  await endGeneration(runtime, await stored(owner), by('Root'));
  await create(owner, 'c');
  const events: unknown[] = [];
  const publish = async (all: readonly { readonly detail: unknown }[]) => {
    events.push(...all.map(({ detail }) => detail));
    return [];
  };
  for (const revocation of await left(owner)) await removeRevoked({ ...runtime, publish }, revocation, NOON);
  expect(events).toMatchObject([
    { token_name: 'a', token_deleted_by: 'admin', requestID: 'request-1' },
    { token_name: 'b', token_deleted_by: 'Root', requestID: 'request-1' },
  ]);
  expect([await namesOf(owner), await left(owner)]).toEqual([['c'], []]);
});

test('removeRevoked publishes the deletion although the account changes meanwhile', async () => {
  const { owner } = await ownerOf('a');
  const { revocation } = await end(owner);
  wire.before('TransactWriteItems', () =>
    setAttributes(table, owner, { user_app_name: 'crm', transitions: 9 }),
  );
  expect(await removeRevoked(announcing, revocation, NOON)).toBe(true);
  expect(published).toEqual(['a']);
  expect(await query(table, tokenNames(owner.username))).toEqual([]);
});

/** Writes after the first that an account with three tokens needs, of which one has been rotated. */
const WRITES = 9;
test.each(Array.from({ length: WRITES + 1 }, (_, n) => n))(
  'the job finishes what a revocation left after %i writes, and publishes each deletion once',
  async (done) => {
    const { owner } = await ownerOf('a', 'b', 'c');
    await rotateToken(runtime, await stored(owner), 'b', admin, 60);
    const read = await stored(owner);
    let sent = -1;
    wire.script((operation) => (/Transact|Delete/.test(operation) && sent++ >= done ? DOWN : undefined));
    expect(await revokeAllTokens(announcing, read, admin)).toMatchObject({ data: { revoked: 3 } });
    wire.reset();
    expect(await removeLeft(announcing, 'run')).toEqual({ completed: 0, left: 0 });
    clock.time = NOON + GRACE_MS;
    const isLeft = done < WRITES;
    expect(await removeLeft(announcing, 'run')).toEqual({ completed: Number(isLeft), left: 0 });
    expect(published.toSorted()).toEqual(['a', 'b', 'c']);
    expect(await left(owner)).toEqual([]);
    expect((await browseTokens(runtime, {})).items.filter((it) => it.username === owner.username)).toEqual(
      [],
    );
  },
);

test('two calls that remove the same tokens publish each deletion once', async () => {
  const { owner } = await ownerOf('a', 'b', 'c');
  const { revocation } = await end(owner);
  await Promise.all([1, 2, 3].map(() => removeRevoked(announcing, revocation, NOON)));
  expect(published.toSorted()).toEqual(['a', 'b', 'c']);
  expect(await left(owner)).toEqual([]);
});

test('the job goes on with other accounts when one fails, and then fails', async () => {
  const [one, two] = [await ownerOf('a'), await ownerOf('b')];
  for (const { owner } of [one, two]) await end(owner);
  clock.time = NOON + GRACE_MS;
  const failing = [one.owner.username, two.owner.username].sort()[0] as string;
  wire.script((operation, sent) =>
    operation === 'Query' && JSON.stringify(sent).includes(`NAMES#${failing}`) ? DOWN : undefined,
  );
  await expect(removeLeft(announcing, 'run')).rejects.toThrow('InternalServerError');
  expect([...(await left(one.owner)), ...(await left(two.owner))]).toHaveLength(1);
});

test('the job goes on with other accounts when one changes all the time', async () => {
  const both = [(await ownerOf('a')).owner, (await ownerOf('b')).owner];
  for (const owner of both) await end(owner);
  clock.time = NOON + GRACE_MS;
  const [busy, other] = both.sort((one, two) => (one.username < two.username ? -1 : 1)) as [Account, Account];
  let changes = 0;
  wire.script(async (operation, sent) => {
    if (operation !== 'TransactWriteItems' || !JSON.stringify(sent).includes(`#${busy.username}`))
      return undefined;
    clock.time += 1000;
    await setAttributes(table, busy, { transitions: ++changes });
    return undefined;
  });
  expect(await removeLeft(announcing, 'run')).toEqual({ completed: 1, left: 1 });
  expect([await left(busy), await left(other)]).toMatchObject([[{}], []]);
});

test.each([
  ['goes on at', 0, true],
  ['stops after', 1, false],
])('removeRevoked %s the latest start of a batch', async (_what, late, isDone) => {
  const { owner } = await ownerOf('a');
  await end(owner);
  const [revocation] = await left(owner);
  clock.time = NOON + late;
  expect(await removeRevoked(announcing, revocation as Revocation, NOON)).toBe(isDone);
  expect(published).toEqual(isDone ? ['a'] : []);
});

test('the job leaves the rest to its next run when its time is up', async () => {
  const { owner } = await ownerOf(...Array.from({ length: 11 }, (_, n) => `t${n}`));
  await end(owner);
  clock.time = NOON + GRACE_MS;
  const slow: typeof announcing.publish = (events) => {
    clock.time += 40_000;
    return announcing.publish(events);
  };
  expect(await removeLeft({ ...announcing, publish: slow }, 'run')).toEqual({ completed: 0, left: 1 });
  expect(published).toHaveLength(10);
  expect(await removeLeft(announcing, 'run')).toEqual({ completed: 1, left: 0 });
  expect(published).toHaveLength(11);
});
