import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createAccount } from '#lib/account/create';
import { resetStamp } from '#lib/account/reset-stamp';
import { type Authenticate, authenticateApiToken, authenticator } from '#lib/auth/authenticate';
import type { Credential } from '#lib/auth/credential';
import { type Account, FOREVER } from '#lib/item/account';
import { revokeKey } from '#lib/session/publish-key';
import { type SigningKey, signSession } from '#lib/session/session-token';
import { accountKey, sliceKey, tokenKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { put, remove } from '#lib/table/write';
import { DAY_MS, dateOf, withOffset, withoutZone } from '#lib/time';
import { createToken } from '#lib/token/create';
import { deleteToken } from '#lib/token/delete';
import { generateApiToken, hashApiToken } from '#lib/token/secret';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { by, NOON, openTestTable } from '../support/engine.ts';
import { publishKey } from '../support/signing-keys.ts';

const { table, wire, clock, runtime, account, operations } = await openTestTable();
const MINUTE = 60_000;

let key: SigningKey;
let authenticate: Authenticate;
beforeAll(async () => {
  key = await publishKey(table);
});
beforeEach(() => {
  authenticate = authenticator(runtime, true);
});

const session = async ({ id, username, stamp }: Account): Promise<Credential> => ({
  kind: 'jwt',
  value: await signSession(runtime, key, { sub: id, name: username, sst: stamp }, NOON / 1000, 86_400),
  via: 'header',
});
const apiToken = async (owner: Account, name = 'ci'): Promise<Credential> => ({
  kind: 'api-token',
  value: (await createToken(runtime, owner, name, by('admin'))).value as string,
  via: 'header',
});
const stored = async ({ username }: Account) => get(table, accountKey(username));
const change = async (of: Account, part: Partial<Account>) => {
  await put(table, accountKey(of.username), { ...of, ...part });
  wire.reset();
};
const unauthenticated = { code: 'unauthenticated' };

const KINDS: [string, (of: Account) => Promise<Credential>][] = [
  ['a session', session],
  ['an API token', apiToken],
];

describe.each(KINDS)('%s', (_kind, credentialOf) => {
  test('is its account, read for this request', async () => {
    const ada = await account();
    const credential = await credentialOf(ada);
    const { token_count: _, ...read } = ada;
    expect((await authenticate(credential)).caller).toMatchObject(read);
    await change(ada, { roles: ['new'] });
    const { caller, accounts } = await authenticate(credential);
    expect(caller.roles).toEqual(['new']);
    expect(accounts).toEqual([]);
  });

  test('brings other accounts in their order, in the round trip that reads its own', async () => {
    const [ada, bob, eve] = [await account(), await account(), await account()];
    const credential = await credentialOf(ada);
    wire.reset();
    const names = [eve.username, 'nobody', bob.username.toUpperCase(), ada.username];
    const { caller, accounts } = await authenticate(credential, names);
    expect(caller.id).toBe(ada.id);
    expect(accounts.map((each) => each?.id)).toEqual([eve.id, undefined, bob.id, ada.id]);
    expect(operations().filter((operation) => operation === 'BatchGetItem')).toHaveLength(1);
  });

  test.each<[string, Partial<Account>]>([
    ['is cancelled', { isactive: false }],
    ['is locked for good', { lockoutend: FOREVER }],
    ['is another of this name', { id: 'other' }],
  ])('is refused where its account %s', async (_name, part) => {
    const ada = await account();
    const credential = await credentialOf(ada);
    await authenticate(credential);
    await change(ada, part);
    await expect(authenticate(credential)).rejects.toMatchObject(unauthenticated);
    await expect(authenticate(credential, [ada.username])).rejects.toMatchObject(unauthenticated);
  });

  test('is refused where there is no such account', async () => {
    const ada = await account();
    const credential = await credentialOf(ada);
    await remove(table, accountKey(ada.username));
    await expect(authenticate(credential)).rejects.toMatchObject(unauthenticated);
  });

  test('is admitted while its account is locked for a time', async () => {
    const ada = await account();
    const credential = await credentialOf(ada);
    await change(ada, { lockoutend: withOffset(NOON + MINUTE) });
    expect((await authenticate(credential)).caller.id).toBe(ada.id);
  });

  test('is admitted though its activity cannot be recorded', async () => {
    clock.time = NOON - DAY_MS;
    const ada = await account();
    const credential = await credentialOf(ada);
    clock.time = NOON;
    wire.script((operation) => (/Update|Transact/.test(operation) ? DOWN : undefined));
    const { caller, recorded } = await authenticate(credential);
    expect(caller.id).toBe(ada.id);
    await recorded;
    expect((await stored(ada))?.lastActivity).toBe(withoutZone(NOON - DAY_MS));
  });

  test('counts its account as active today', async () => {
    clock.time = NOON - DAY_MS;
    const ada = await account();
    const credential = await credentialOf(ada);
    clock.time = NOON;
    const countToday = async () =>
      (await get(table, sliceKey(ada.username)))?.[`active:${dateOf(NOON)}`] ?? 0;
    const before = await countToday();
    await (await authenticate(credential)).recorded;
    expect((await stored(ada))?.lastActivity).toBe(withoutZone(NOON));
    expect(await countToday()).toBe(before + 1);
  });

  test('records its activity of a minute later', async () => {
    const ada = await account();
    const credential = await credentialOf(ada);
    clock.time = NOON + MINUTE;
    await (await authenticate(credential)).recorded;
    expect((await stored(ada))?.lastActivity).toBe(withoutZone(NOON + MINUTE));
  });
});

describe('a session', () => {
  test('is refused once the stamp of its account has changed, on the very next request', async () => {
    const ada = await account();
    const credential = await session(ada);
    await authenticate(credential);
    await resetStamp(runtime, ada);
    await expect(authenticate(credential)).rejects.toMatchObject(unauthenticated);
  });

  test('that does not verify reads no account', async () => {
    const ada = await account();
    const { value } = await session(ada);
    wire.reset();
    const forged = { kind: 'jwt', value: `${value.slice(0, -20)}${'A'.repeat(20)}`, via: 'header' } as const;
    await expect(authenticate(forged)).rejects.toMatchObject(unauthenticated);
    expect(operations()).toEqual(['Query']);
  });

  test('costs one read, beside it one of the keys every five seconds, and a write once a minute', async () => {
    const ada = await account();
    const credential = await session(ada);
    await (await authenticate(credential)).recorded;
    const costOf = async (time: number) => {
      clock.time = time;
      wire.reset();
      await (await authenticate(credential)).recorded;
      return operations().sort();
    };
    expect(await costOf(NOON + 4999)).toEqual(['GetItem']);
    expect(await costOf(NOON + MINUTE - 1)).toEqual(['GetItem', 'Query']);
    expect(await costOf(NOON + MINUTE)).toEqual(['GetItem', 'UpdateItem']);
  });

  test('has its signature verified once, whatever was read of the keys since, and its account read each time', async () => {
    const credential = await session(await account());
    const verify = vi.spyOn(crypto.subtle, 'verify');
    for (const later of [0, 1, 5000, 6 * MINUTE]) {
      clock.time = NOON + later;
      wire.reset();
      await (await authenticate(credential)).recorded;
      expect(operations()).toContain('GetItem');
    }
    expect(verify).toHaveBeenCalledTimes(1);
    verify.mockRestore();
  });

  test('is refused five seconds after its key was revoked, in an execution environment that knows the key', async () => {
    const revoked = await publishKey(table);
    const { id, username, stamp } = await account();
    const claims = { sub: id, name: username, sst: stamp };
    const value = await signSession(runtime, revoked, claims, NOON / 1000, 86_400);
    const credential = { kind: 'jwt', value, via: 'header' } as const;
    await authenticate(credential);
    await revokeKey(table, revoked.kid, NOON);
    clock.time = NOON + 5000;
    await expect(authenticate(credential)).rejects.toMatchObject(unauthenticated);
  });
});

describe('an API token', () => {
  test('is refused where it was never made', async () => {
    const value = generateApiToken(runtime.random);
    await expect(authenticateApiToken(runtime, value)).rejects.toMatchObject(unauthenticated);
    expect(operations()).toEqual(['GetItem']);
  });

  test('is refused from its deletion on', async () => {
    const ada = await account();
    const credential = await apiToken(ada);
    await authenticate(credential);
    await deleteToken(runtime, ada, 'ci', by('admin'));
    wire.reset();
    await expect(authenticate(credential)).rejects.toMatchObject(unauthenticated);
    await expect(authenticate(credential)).rejects.toMatchObject(unauthenticated);
    expect(operations(), 'nothing is remembered of what is gone').toEqual(['BatchGetItem', 'GetItem']);
  });

  test('is read with its owner at once from its second request on, each time anew', async () => {
    const [ada, bob] = [await account(), await account()];
    const credential = await apiToken(ada);
    await (await authenticate(credential)).recorded;
    for (const [usernames, units] of [
      [[], 2],
      [[bob.username], 3],
    ] as const) {
      wire.reset();
      const { caller, accounts } = await authenticate(credential, usernames);
      expect([caller.id, ...accounts.map((each) => each?.id)]).toEqual([
        ada.id,
        ...(units === 3 ? [bob.id] : []),
      ]);
      expect(wire.commands.map(({ operation, units }) => [operation, units])).toEqual([
        ['BatchGetItem', units],
      ]);
      const [batch] = Object.values(wire.commands[0]?.input['RequestItems'] as Record<string, object>);
      expect(batch).toMatchObject({ ConsistentRead: true });
    }
  });

  test('is remembered by no other execution environment, nor without its secret', async () => {
    const ada = await account();
    const credential = await apiToken(ada);
    await (await authenticate(credential)).recorded;
    wire.reset();
    await authenticator(runtime, true)(credential);
    const other = { ...credential, value: generateApiToken(runtime.random) };
    await expect(authenticate(other)).rejects.toMatchObject(unauthenticated);
    expect(operations()).toEqual(['GetItem', 'GetItem', 'GetItem']);
  });

  test('says when it was used', async () => {
    const { value } = await apiToken(await account());
    await (await authenticateApiToken(runtime, value)).recorded;
    expect((await get(table, tokenKey(hashApiToken(value))))?.token_used_at).toBe(withoutZone(NOON));
  });

  test('says so too where its owner was active by another credential just before', async () => {
    const ada = await account();
    const [credential, other] = [await apiToken(ada), await session(ada)];
    await (await authenticate(other)).recorded;
    clock.time = NOON + 1000;
    await (await authenticate(credential)).recorded;
    const used = await get(table, tokenKey(hashApiToken(credential.value)));
    expect(used?.token_used_at).toBe(withoutZone(NOON + 1000));
    expect((await stored(ada))?.lastActivity).toBe(withoutZone(NOON));
  });

  test.each([
    ['TOKEN items are', (input: string) => input.includes('"TOKEN#')],
    ['ACCOUNT items are', (input: string) => input.includes('"ACCOUNT#')],
  ])('is not admitted from memory while %s out of reach', async (_, isOut) => {
    const ada = await account();
    const credential = await apiToken(ada);
    await authenticate(credential);
    await authenticate(await session(ada));
    wire.script((_operation, input) => (isOut(JSON.stringify(input)) ? DOWN : undefined));
    for (const environment of [authenticate, authenticator(runtime, true)])
      await expect(environment(credential)).rejects.toMatchObject({ name: 'InternalServerError' });
  });
});

test('an account that was created anew under a name is not that of its sessions', async () => {
  const ada = await account();
  const credential = await session(ada);
  await remove(table, accountKey(ada.username));
  await createAccount(runtime, { username: ada.username });
  await expect(authenticate(credential)).rejects.toMatchObject(unauthenticated);
});

test('a session whose name no account can have is refused without a look', async () => {
  const ada = await account();
  for (const username of ['', 'a b', 'n'.repeat(3000)]) {
    const named = await session({ ...ada, username });
    wire.reset();
    await expect(authenticate(named)).rejects.toMatchObject(unauthenticated);
    expect(operations()).not.toContain('GetItem');
  }
});
