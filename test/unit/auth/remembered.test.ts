import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Authenticate, authenticator } from '#lib/auth/authenticate';
import type { Credential } from '#lib/auth/credential';
import { type Account, FOREVER } from '#lib/item/account';
import { type SigningKey, signSession } from '#lib/session/session-token';
import { accountKey } from '#lib/table/keys';
import { put, remove } from '#lib/table/write';
import { withoutZone } from '#lib/time';
import { CONFLICT, DOWN, type Fault } from '../../wire/dynamodb-proxy.ts';
import { NOON, openTestTable } from '../support/engine.ts';
import { publishKey } from '../support/signing-keys.ts';

const { table, wire, clock, runtime, account, operations } = await openTestTable();

let key: SigningKey;
let authenticate: Authenticate;
let ada: Account;
beforeAll(async () => {
  key = await publishKey(table);
});
beforeEach(async () => {
  authenticate = authenticator(runtime, true);
  ada = await account();
});

const session = async ({ id, username, stamp }: Pick<Account, 'id' | 'username' | 'stamp'>) =>
  ({
    kind: 'jwt',
    value: await signSession(runtime, key, { sub: id, name: username, sst: stamp }, NOON / 1000, 86_400),
    via: 'header',
  }) satisfies Credential;

const unauthenticated = { code: 'unauthenticated' };
const change = (of: Account, part: Partial<Account>) =>
  put(table, accountKey(of.username), { ...of, ...part });

/** From now on the table is out of reach. */
const failing = (fault: Fault = DOWN) => wire.script(() => fault);
const outage = { name: 'InternalServerError' };
const SYNTAX: Fault = {
  status: 400,
  body: { __type: 'com.amazon.coral#ValidationException', message: 'No' },
};

describe('while the table is out of reach, an account that was read before', () => {
  test('answers for a session for a minute', async () => {
    const credential = await session(ada);
    await authenticate(credential);
    failing();
    clock.time = NOON + 60_000;
    const { caller, accounts } = await authenticate(credential);
    expect(caller).toMatchObject(ada);
    expect(accounts).toEqual([]);
    clock.time = NOON + 60_001;
    await expect(authenticate(credential)).rejects.toMatchObject(outage);
  });

  test('grows no younger by answering', async () => {
    const credential = await session(ada);
    await authenticate(credential);
    failing();
    clock.time = NOON + 50_000;
    await authenticate(credential);
    clock.time = NOON + 60_001;
    await expect(authenticate(credential)).rejects.toMatchObject(outage);
  });

  test('grows younger by every read', async () => {
    const credential = await session(ada);
    await authenticate(credential);
    clock.time = NOON + 50_000;
    await authenticate(credential);
    failing();
    clock.time = NOON + 110_000;
    expect((await authenticate(credential)).caller.id).toBe(ada.id);
  });

  test('does not answer for an endpoint that writes or tells of the account', async () => {
    const strict = authenticator(runtime, false);
    const credential = await session(ada);
    await strict(credential);
    failing();
    await expect(strict(credential)).rejects.toMatchObject(outage);
  });

  test('does not answer for others', async () => {
    await authenticate(await session(ada));
    const credential = await session(await account());
    failing();
    await expect(authenticate(credential)).rejects.toMatchObject(outage);
  });

  test.each([
    ['stamp', { stamp: 'old' }],
    ['id', { id: 'other' }],
  ])('does not answer for a session of another %s', async (_name, part) => {
    await authenticate(await session(ada));
    const credential = await session({ ...ada, ...part });
    failing();
    await expect(authenticate(credential)).rejects.toMatchObject(outage);
  });

  test.each<[string, Partial<Account>]>([
    ['cancelled', { isactive: false }],
    ['locked for good', { lockoutend: FOREVER }],
  ])('does not answer where it was %s when it was read last', async (_name, part) => {
    const credential = await session(ada);
    await authenticate(credential);
    await put(table, accountKey(ada.username), { ...ada, ...part });
    await expect(authenticate(credential)).rejects.toMatchObject(unauthenticated);
    failing();
    await expect(authenticate(credential)).rejects.toMatchObject(outage);
  });

  test('answers after a request that named other accounts too', async () => {
    const credential = await session(ada);
    await authenticate(credential, ['nobody']);
    failing();
    expect((await authenticate(credential)).caller.id).toBe(ada.id);
  });

  test('is known to its own execution environment only', async () => {
    const credential = await session(ada);
    await authenticate(credential);
    const other = authenticator(runtime, true);
    await other(await session(await account()));
    failing();
    await expect(other(credential)).rejects.toMatchObject(outage);
  });
});

test.each([
  ['refuses the read', SYNTAX, 'ValidationException'],
  ['answers with what is no outage', CONFLICT, 'TransactionConflictException'],
])('memory does not answer where the table %s', async (_name, fault, name) => {
  const credential = await session(ada);
  await authenticate(credential);
  failing(fault);
  await expect(authenticate(credential)).rejects.toMatchObject({ name });
});

test('memory does not answer for an account that is there no more', async () => {
  const credential = await session(ada);
  await authenticate(credential);
  await remove(table, accountKey(ada.username));
  await expect(authenticate(credential)).rejects.toMatchObject(unauthenticated);
});

test('a thousand accounts are remembered: those that were read last', async () => {
  const item = (username: string) => ({
    username: { S: username },
    id: { S: `id of ${username}` },
    stamp: { S: 'stamp' },
    isactive: { BOOL: true },
    lastActivity: { S: withoutZone(NOON) },
  });
  // The engine would take its time for so many accounts.
  wire.script((operation, { Key }) => {
    if (operation === 'Query') return undefined;
    if (operation !== 'GetItem')
      return { status: 400, body: { __type: 'x#ConditionalCheckFailedException' } };
    const { S } = (Key as { PK: { S: string } }).PK;
    return { status: 200, body: { Item: item(S.slice(S.indexOf('#') + 1)) } };
  });
  const of = async (n: number) =>
    authenticate(await session({ username: `user-${n}`, id: `id of user-${n}`, stamp: 'stamp' }));
  for (const first of [0, 1, 2]) await of(first);
  for (let n = 3; n < 1000; n += 20)
    await Promise.all(Array.from({ length: Math.min(20, 1000 - n) }, (_, m) => of(n + m)));
  await of(0);
  await of(1000);
  failing();
  const remembered = await Promise.allSettled([1, 2, 0, 999, 1000].map(of));
  expect(remembered.map(({ status }) => status)).toEqual(['rejected', ...Array(4).fill('fulfilled')]);
});

describe('where sessions may be answered from memory for ten seconds', () => {
  const cached = { ...runtime, settings: { ...runtime.settings, SecurityStampCacheSeconds: 10 } };
  const costOf = async (
    authenticate: Authenticate,
    credential: Credential,
    usernames: readonly string[] = [],
  ) => {
    wire.reset();
    await (await authenticate(credential, usernames)).recorded;
    return operations();
  };
  /** An account that has just been used, its session, and who has read it. */
  async function known(mayRemember = true) {
    const ada = await account();
    const credential = await session(ada);
    const remembering = authenticator(cached, mayRemember);
    // The first use is written, which the second reads.
    for (let n = 0; n < 2; n++) await (await remembering(credential)).recorded;
    return { ada, credential, remembering };
  }

  test('one that was read within them costs nothing, a later one a read', async () => {
    const { credential, remembering } = await known();
    clock.time = NOON + 4999;
    expect(await costOf(remembering, credential)).toEqual([]);
    clock.time = NOON + 10_000;
    expect(await costOf(remembering, credential)).toEqual(['Query']);
    clock.time = NOON + 10_001;
    expect(await costOf(remembering, credential)).toEqual(['GetItem']);
  });

  test('a lock and a new stamp act after them at the latest', async () => {
    for (const part of [{ lockoutend: FOREVER }, { stamp: 'new' }]) {
      const { ada, credential, remembering } = await known();
      await change(ada, { ...part, never_used: false, lastActivity: withoutZone(NOON) });
      clock.time = NOON + 10_000;
      expect((await remembering(credential)).caller.username).toBe(ada.username);
      clock.time = NOON + 10_001;
      await expect(remembering(credential)).rejects.toMatchObject(unauthenticated);
      clock.time = NOON;
    }
  });

  test('the account is read all the same where another is asked for, or its use is to be written', async () => {
    const { ada, credential, remembering } = await known();
    expect(await costOf(remembering, credential, [(await account()).username])).toEqual(['BatchGetItem']);
    await change(ada, { never_used: false, lastActivity: withoutZone(NOON - 59_999) });
    clock.time = NOON + 10_001;
    await remembering(credential);
    expect(await costOf(remembering, credential)).toContain('GetItem');
  });

  test('an endpoint that answers from the account reads it', async () => {
    const { credential, remembering } = await known(false);
    expect(await costOf(remembering, credential)).toEqual(['GetItem']);
  });

  test('a session that is no longer that of the copy is read anew', async () => {
    const { ada, credential, remembering } = await known();
    await change(ada, { stamp: 'new', never_used: false, lastActivity: withoutZone(NOON) });
    const renewed = await session({ ...ada, stamp: 'new' });
    expect((await remembering(renewed)).caller.stamp).toBe('new');
    await expect(remembering(credential)).rejects.toMatchObject(unauthenticated);
  });
});
