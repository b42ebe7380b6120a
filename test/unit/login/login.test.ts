import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { listSessions } from '#lib/account/sessions';
import { authenticator } from '#lib/auth/authenticate';
import { Failure } from '#lib/failure/failure';
import { MAX_EXPIRE_HOURS } from '#lib/instance/settings';
import type { Account } from '#lib/item/account';
import { logIn as exchange } from '#lib/login/login';
import { logOut } from '#lib/login/logout';
import type { SigningKey } from '#lib/session/session-token';
import { accountKey, tokenKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { DAY_MS, withoutZone } from '#lib/time';
import { createToken } from '#lib/token/create';
import { generateApiToken, hashApiToken } from '#lib/token/secret';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { by, NOON } from '../support/engine.ts';
import { gatewayEvent } from '../support/gateway-event.ts';
import { publishKey } from '../support/signing-keys.ts';
import { HERE, INVALID, openLogin, PASSWORD } from './bench.ts';

const { table, wire, clock, runtime, account, operations, user, listOf } = await openLogin();

const key = await publishKey(table);

const cookie = (value: string, seconds: number) =>
  `ptoken=${value}; Path=/; HttpOnly; Secure; SameSite=Lax; Max-Age=${seconds}`;
const SECONDS_OF_DAY = DAY_MS / 1000;

interface More {
  readonly createCookie?: boolean | undefined;
  readonly settings?: Partial<typeof runtime.settings>;
  readonly signingKey?: () => Promise<SigningKey>;
}
const logIn = (
  username: string,
  password = PASSWORD,
  { createCookie, settings, signingKey = async () => key }: More = {},
) =>
  exchange(
    { ...runtime, signingKey, settings: { ...runtime.settings, ...settings } },
    { username, password, createCookie },
    gatewayEvent(),
  );
const tokenOf = async (owner: Account) =>
  (await createToken(runtime, owner, 'ci', by('admin'))).value as string;
const callerOf = async (value: string) =>
  (await authenticator(runtime, 0)({ kind: 'jwt', value, address: undefined })).caller;

test('a login answers a session that authenticates its account, and its end', async () => {
  const { id, username, stamp } = await user();
  clock.time = NOON + 999;
  const { data, cookies, login } = await logIn(username.toUpperCase());
  expect(data).toEqual({
    JWTtoken: expect.any(String),
    token_type: 'Bearer',
    expires_in: SECONDS_OF_DAY,
    expires_at: new Date(NOON + DAY_MS).toISOString(),
    username,
    newest_passkey: null,
  });
  expect(cookies).toEqual([]);
  expect((await callerOf(data.JWTtoken)).id).toBe(id);
  const [iat, exp] = [NOON / 1000, NOON / 1000 + SECONDS_OF_DAY];
  expect(decodeJwt(data.JWTtoken)).toMatchObject({
    sub: id,
    name: username,
    sst: stamp,
    iat,
    exp,
    amr: ['pwd'],
  });
  expect(login).toEqual({ credential: null, session: decodeJwt(data.JWTtoken).jti });
});

test.each([true, false])('a login sets a cookie when createCookie is %s', async (createCookie) => {
  const { data, cookies } = await logIn((await user()).username, PASSWORD, { createCookie });
  expect(cookies).toEqual(createCookie ? [cookie(data.JWTtoken, SECONDS_OF_DAY)] : []);
});

test.each([
  [0.5, 1800],
  [0.00001, 1],
  [0.00042, 2],
  [MAX_EXPIRE_HOURS, MAX_EXPIRE_HOURS * 3600],
])('a login lasts for whole seconds when the setting is %d hours: %i', async (JwtExpireHours, seconds) => {
  const { data } = await logIn('api', await tokenOf(await account()), { settings: { JwtExpireHours } });
  expect(data.expires_in).toBe(seconds);
  expect(data.expires_at).toBe(new Date(NOON + seconds * 1000).toISOString());
  expect(decodeJwt(data.JWTtoken).exp).toBe(NOON / 1000 + seconds);
});

test('a login with a text that is no token reads nothing, not even the signing key', async () => {
  const signingKey = () => Promise.reject(new Error('The key is read'));
  for (const text of ['cst_', `${generateApiToken(() => new Uint8Array(30)).slice(0, -1)}_`])
    await expect(logIn('api', text, { signingKey })).rejects.toMatchObject(INVALID);
  expect(operations()).toEqual([]);
});

test('a login costs no attempt while there is no signing key', async () => {
  const { username } = await user();
  const signingKey = async () => {
    throw new Failure('unavailable', { retryAfter: 5 });
  };
  const token = generateApiToken(() => new Uint8Array(30));
  for (const [name, text] of [
    [username, 'wrong'],
    ['api', token],
  ] as const)
    await expect(logIn(name, text, { signingKey })).rejects.toMatchObject({ code: 'unavailable' });
  expect(operations()).toEqual([]);
});

test('a login counts a failure for the source address of the request', async () => {
  const ada = await user();
  await expect(logIn(ada.username, 'wrong')).rejects.toMatchObject(INVALID);
  expect((await listOf('name', ada))?.attempts).toMatchObject([{ from: HERE }]);
});

test('a login as api accepts an API token and records its use', async () => {
  const ada = await account();
  const value = await tokenOf(ada);
  clock.time = NOON + 1000;
  const { data } = await logIn('api', value);
  expect(data.username).toBe(ada.username);
  expect((await callerOf(data.JWTtoken)).id).toBe(ada.id);
  const claims = decodeJwt(data.JWTtoken);
  expect(claims['amr']).toEqual(['token']);
  expect(claims).not.toHaveProperty('auth_time');
  const used = async () => (await get(table, tokenKey(hashApiToken(value))))?.token_used_at;
  await expect.poll(used).toBe(withoutZone(NOON + 1000));
});

test('a login as api refuses a cookie that browsers would drop, and begins no session then', async () => {
  const roles = Array.from({ length: 30 }, (_, n) => `${n}`.padStart(64, 'r'));
  const addresses = [
    HERE,
    ...Array.from({ length: 19 }, (_, n) => `2001:db8:1111:2222:3333:4444:5555:10${n}`),
  ];
  const ada = await account({ roles });
  const { value } = await createToken(runtime, ada, 'ci', by('admin'), { roles, addresses });
  await expect(logIn('api', value, { createCookie: true })).rejects.toMatchObject({
    about: ada.username,
    errors: [{ field: 'createCookie', message: expect.stringContaining('too long for a cookie') }],
  });
  expect((await listSessions(runtime, ada)).items).toEqual([]);
  expect((await logIn('api', value)).data.username).toBe(ada.username);
});

test('a login as api refuses an API token under the name of its owner, or API', async () => {
  const ada = await user();
  const value = await tokenOf(ada);
  for (const username of [ada.username, 'API'])
    await expect(logIn(username, value)).rejects.toMatchObject(INVALID);
});

test('a login as api refuses a password that is no API token without a read', async () => {
  for (const password of ['', PASSWORD, 'cst_guess'])
    await expect(logIn('api', password)).rejects.toMatchObject(INVALID);
  expect(operations()).toEqual([]);
});

test('a login as api refuses an API token that was never created, without a limit', async () => {
  for (let n = 0; n < 6; n++)
    await expect(logIn('api', generateApiToken(runtime.random))).rejects.toMatchObject(INVALID);
  expect(new Set(operations())).toEqual(new Set(['GetItem']));
});

test('a login as api reports an outage as such', async () => {
  const value = await tokenOf(await account());
  wire.script(() => DOWN);
  await expect(logIn('api', value)).rejects.toMatchObject({ name: 'InternalServerError' });
});

test('a logout ends all sessions of its account only, and removes the cookie', async () => {
  const [ada, other] = [await user(), await user()];
  const session = async ({ username }: Account) => (await logIn(username)).data.JWTtoken;
  const ended = [await session(ada), await session(ada)];
  const theirs = await session(other);
  const { data, cookies } = await logOut({ ...runtime, uuid: () => 'stamp-2' }, ada, gatewayEvent(), {});
  expect(data).toEqual({ username: ada.username });
  expect(cookies).toEqual([cookie('', 0)]);
  expect((await get(table, accountKey(ada.username)))?.stamp).toBe('stamp-2');
  for (const value of ended) await expect(callerOf(value)).rejects.toMatchObject({ code: 'unauthenticated' });
  expect((await callerOf(theirs)).id).toBe(other.id);
  expect((await callerOf(await session(ada))).id).toBe(ada.id);
});

test('a logout fails when the stamp cannot be changed', async () => {
  const ada = await account();
  wire.script(() => DOWN);
  await expect(logOut(runtime, ada, gatewayEvent(), {})).rejects.toMatchObject({
    name: 'InternalServerError',
  });
});
