import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Authenticate, authenticateApiToken, authenticator } from '#lib/auth/authenticate';
import type { Credential } from '#lib/auth/credential';
import { type Account, FOREVER } from '#lib/item/account';
import { revokeKey } from '#lib/session/publish-key';
import { accountKey, tokenKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { put, remove } from '#lib/table/write';
import { MINUTE_MS, withOffset, withoutZone } from '#lib/time';
import { createToken } from '#lib/token/create';
import { deleteToken } from '#lib/token/delete';
import { generateApiToken, hashApiToken } from '#lib/token/secret';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { by, NOON, openTestTable } from '../support/engine.ts';
import { publishKey } from '../support/signing-keys.ts';
import { OUTAGE, sessionOf, UNAUTHENTICATED } from './sessions.ts';

const { table, wire, clock, runtime, account, stored, operations } = await openTestTable();

const key = await publishKey(table);
let authenticate: Authenticate;
let ada: Account;
beforeEach(async () => {
  authenticate = authenticator(runtime, 0);
  ada = await account();
});

const session = (of: Account) => sessionOf(runtime, key, of);
const apiToken = async (owner: Account): Promise<Credential> => ({
  kind: 'api-token',
  value: (await createToken(runtime, owner, 'ci', by('admin'))).value as string,

  address: undefined,
});
const useOf = async ({ value }: Credential) =>
  (await get(table, tokenKey(hashApiToken(value))))?.token_used_at;
const change = (of: Account, part: Partial<Account>) =>
  put(table, accountKey(of.username), { ...of, ...part });
const refused = (credential: Credential, usernames?: readonly string[]) =>
  expect(authenticate(credential, usernames)).rejects.toMatchObject(UNAUTHENTICATED);

describe.each([
  ['a session', session],
  ['an API token', apiToken],
] as const)('%s', (_kind, credentialOf) => {
  test('answers its account as read for this request, and its name or ID for the audit log', async () => {
    const credential = await credentialOf(ada);
    const { token_count: _, ...read } = ada;
    const used = await authenticate(credential);
    expect(used.caller).toMatchObject(read);
    expect(used.credential).toBe(credential.kind === 'jwt' ? decodeJwt(credential.value).jti : 'ci');
    await change(ada, { roles: ['new'] });
    const { caller, accounts } = await authenticate(credential);
    expect([caller.roles, accounts]).toEqual([['new'], []]);
  });

  test('reads other accounts in the round trip of its own, and keeps their order', async () => {
    const [bob, eve] = [await account(), await account()];
    const credential = await credentialOf(ada);
    wire.reset();
    const names = [eve.username, 'nobody', bob.username.toUpperCase(), ada.username];
    const { caller, accounts } = await authenticate(credential, names);
    expect(caller.id).toBe(ada.id);
    expect(accounts.map((each) => each?.id)).toEqual([eve.id, undefined, bob.id, ada.id]);
    expect(operations().filter((operation) => operation === 'BatchGetItem')).toHaveLength(1);
  });

  test.each<[string, (of: Account) => Promise<unknown>]>([
    ['is cancelled', (of) => change(of, { isactive: false })],
    ['is locked by an administrator', (of) => change(of, { lockoutend: FOREVER })],
    ['has a lock with an end', (of) => change(of, { lockoutend: withOffset(NOON + 1), lock_reason: '' })],
    ['is another of the name', (of) => change(of, { id: 'other' })],
    ['is removed', ({ username }) => remove(table, accountKey(username))],
  ])('is refused when its account %s', async (_title, end) => {
    const credential = await credentialOf(ada);
    await authenticate(credential);
    await end(ada);
    await refused(credential);
    await refused(credential, [ada.username]);
  });

  test('is accepted while its account is locked for a time', async () => {
    const credential = await credentialOf(ada);
    await change(ada, { lockoutend: withOffset(NOON + MINUTE_MS) });
    expect((await authenticate(credential)).caller.id).toBe(ada.id);
  });

  test('records the activity of its account', async () => {
    const credential = await credentialOf(ada);
    clock.time = NOON + MINUTE_MS;
    await (await authenticate(credential)).recorded;
    expect((await stored(ada)).lastActivity).toBe(withoutZone(NOON + MINUTE_MS));
  });

  test('is accepted when activity cannot be recorded', async () => {
    const credential = await credentialOf(ada);
    clock.time = NOON + MINUTE_MS;
    wire.script((operation) => (/Update|Transact/.test(operation) ? DOWN : undefined));
    const { caller, recorded } = await authenticate(credential);
    expect(caller.id).toBe(ada.id);
    await recorded;
    expect((await stored(ada)).lastActivity).toBe(withoutZone(NOON));
  });
});

test.each<[string, username: string | undefined]>([
  ['it does not verify', undefined],
  ...['', 'a b', 'n'.repeat(3000)].map((name): [string, string] => ['its name is impossible', name]),
])('a session reads no account when %s: %j', async (_title, username) => {
  const { value, ...rest } = await session({ ...ada, username: username ?? ada.username });
  wire.reset();
  await refused({
    ...rest,
    value: username === undefined ? `${value.slice(0, -20)}${'A'.repeat(20)}` : value,
  });
  expect(operations()).not.toContain('GetItem');
});

test('a session is refused 5 s after its key was revoked, even when the key is cached', async () => {
  const revoked = await publishKey(table);
  const credential = await sessionOf(runtime, revoked, ada);
  await authenticate(credential);
  await revokeKey(table, revoked.kid, NOON);
  clock.time = NOON + 5000;
  await refused(credential);
});

test('an API token is refused from its deletion on, and its owner is forgotten', async () => {
  const credential = await apiToken(ada);
  await authenticate(credential);
  await deleteToken(runtime, ada, 'ci', by('admin'));
  wire.reset();
  await refused(credential);
  await refused(credential);
  expect(operations()).toEqual(['BatchGetItem', 'GetItem']);
});

test('an API token is read together with its owner from its second request on, consistently each time', async () => {
  const bob = await account();
  const credential = await apiToken(ada);
  await (await authenticate(credential)).recorded;
  for (const others of [[], [bob]]) {
    wire.reset();
    const { caller, accounts } = await authenticate(
      credential,
      others.map(({ username }) => username),
    );
    expect([caller, ...accounts].map((each) => each?.id)).toEqual([ada, ...others].map(({ id }) => id));
    expect(wire.commands).toMatchObject([{ operation: 'BatchGetItem', units: 2 + others.length }]);
    const [batch] = Object.values(wire.commands[0]?.input['RequestItems'] as Record<string, object>);
    expect(batch).toMatchObject({ ConsistentRead: true });
  }
});

test('an API token is read before its owner in a new execution environment, and for an unknown secret', async () => {
  const credential = await apiToken(ada);
  await (await authenticate(credential)).recorded;
  wire.reset();
  await authenticator(runtime, 0)(credential);
  await refused({ ...credential, value: generateApiToken(runtime.random) });
  expect(operations()).toEqual(['GetItem', 'GetItem', 'GetItem']);
});

test('an API token records its use, even when its owner was active by another credential just before', async () => {
  const [credential, other] = [await apiToken(ada), await session(ada)];
  await (await authenticate(other)).recorded;
  clock.time = NOON + 1000;
  await (await authenticateApiToken(runtime, credential)).recorded;
  expect(await useOf(credential)).toBe(withoutZone(NOON + 1000));
  expect((await stored(ada)).lastActivity).toBe(withoutZone(NOON));
});

test.each(['"TOKEN#', '"ACCOUNT#'])(
  'an API token is not accepted from memory while %s is out of reach',
  async (items) => {
    const credential = await apiToken(ada);
    await authenticate(credential);
    await authenticate(await session(ada));
    wire.script((_operation, input) => (JSON.stringify(input).includes(items) ? DOWN : undefined));
    for (const environment of [authenticate, authenticator(runtime, 0)])
      await expect(environment(credential)).rejects.toMatchObject(OUTAGE);
  },
);
