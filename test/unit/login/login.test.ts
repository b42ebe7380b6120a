import { hash as bcrypt } from 'bcryptjs';
import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { authenticator } from '#lib/auth/authenticate';
import { Failure } from '#lib/failure';
import { type Account, FOREVER } from '#lib/item/account';
import { logIn } from '#lib/login/login';
import { logOut } from '#lib/login/logout';
import type { SigningKey } from '#lib/session/session-token';
import { accountKey, attemptsOnNameKey, passwordKey, tokenKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { put, remove } from '#lib/table/write';
import { withoutZone } from '#lib/time';
import { createToken } from '#lib/token/create';
import { generateApiToken, hashApiToken } from '#lib/token/secret';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { by, NOON, openTestTable } from '../support/engine.ts';
import { gatewayEvent } from '../support/gateway-event.ts';
import { publishKey } from '../support/signing-keys.ts';

const { table, wire, clock, runtime, account, operations } = await openTestTable();
/** For a machine that is busy. */
const PATIENT = { timeout: 60_000 };
const PASSWORD = 'correct horse';

let key: SigningKey;
let hash: string;
beforeAll(async () => {
  key = await publishKey(table);
  hash = await bcrypt(PASSWORD, 10);
});

async function user(): Promise<Account> {
  const item = await account();
  await put(table, passwordKey(item.username), { hash });
  return item;
}

const event = gatewayEvent();
const from = (
  username: string,
  password: string,
  { createCookie = undefined as boolean | undefined, settings = {}, signingKey = async () => key } = {},
) =>
  logIn(
    { ...runtime, signingKey, settings: { ...runtime.settings, ...settings } },
    { username, password, createCookie },
    event,
  );
const callerOf = async (value: string) =>
  (await authenticator(runtime, true)({ kind: 'jwt', value, via: 'header' })).caller;

describe('a login', () => {
  test('answers a session that authenticates its account, and when it ends', async () => {
    const ada = await user();
    clock.time = NOON + 999;
    const { data, cookies } = await from(ada.username.toUpperCase(), PASSWORD);
    expect(data).toEqual({
      JWTtoken: expect.any(String),
      token_type: 'Bearer',
      expires_in: 86_400,
      expires_at: '2026-11-21T12:00:00.000Z',
      username: ada.username,
    });
    expect(cookies).toEqual([]);
    expect((await callerOf(data.JWTtoken)).id).toBe(ada.id);
    expect(decodeJwt(data.JWTtoken)).toMatchObject({
      sub: ada.id,
      name: ada.username,
      sst: ada.stamp,
      iat: NOON / 1000,
      exp: NOON / 1000 + 86_400,
    });
  });

  test.each([
    [true, (jwt: string) => [`ptoken=${jwt}; Path=/; HttpOnly; Secure; SameSite=Lax; Max-Age=86400`]],
    [false, () => []],
    [undefined, () => []],
  ])('sets a cookie where createCookie is %s', async (createCookie, expected) => {
    const ada = await user();
    const { data, cookies } = await from(ada.username, PASSWORD, { createCookie });
    expect(cookies).toEqual(expected(data.JWTtoken));
  });

  test.each([
    [0.5, 1800],
    [0.00001, 1],
    [0.00042, 2],
    [720, 2_592_000],
  ])('of %d hours lasts for %i whole seconds', async (JwtExpireHours, seconds) => {
    const { value } = await createToken(runtime, await account(), 'ci', by('admin'));
    const { data } = await from('api', value as string, { settings: { JwtExpireHours } });
    expect(data.expires_in).toBe(seconds);
    expect(data.expires_at).toBe(new Date(NOON + seconds * 1000).toISOString());
    expect(decodeJwt(data.JWTtoken).exp).toBe(NOON / 1000 + seconds);
  });

  test('spends no attempt while there is no signing key', async () => {
    const ada = await user();
    wire.reset();
    const signingKey = async () => {
      throw new Failure('unavailable', { retryAfter: 5 });
    };
    for (const username of [ada.username, 'api'])
      await expect(from(username, 'wrong', { signingKey })).rejects.toMatchObject({ code: 'unavailable' });
    expect(operations()).toEqual([]);
  });

  test('counts a failure for the source address of the request', async () => {
    const ada = await user();
    await expect(from(ada.username, 'wrong')).rejects.toMatchObject({ code: 'invalid_credentials' });
    expect((await get(table, attemptsOnNameKey(ada.username)))?.attempts).toMatchObject([
      { from: '192.0.2.1' },
    ]);
  });
});

describe('a login as api', () => {
  const refused = { code: 'invalid_credentials' };

  test('takes an API token, and is a use of it', async () => {
    const ada = await account();
    const { value } = await createToken(runtime, ada, 'ci', by('admin'));
    clock.time = NOON + 1000;
    const { data } = await from('api', value as string);
    expect(data.username).toBe(ada.username);
    expect((await callerOf(data.JWTtoken)).id).toBe(ada.id);
    const token = tokenKey(hashApiToken(value as string));
    await expect
      .poll(async () => (await get(table, token))?.token_used_at, PATIENT)
      .toBe(withoutZone(NOON + 1000));
  });

  test('takes no API token under the name of its owner, or API', async () => {
    const ada = await user();
    const { value } = await createToken(runtime, ada, 'ci', by('admin'));
    for (const username of [ada.username, 'API'])
      await expect(from(username, value as string)).rejects.toMatchObject(refused);
  });

  test('takes no text that is no API token, and reads nothing for it', async () => {
    for (const password of ['', PASSWORD, 'cst_guess'])
      await expect(from('api', password)).rejects.toMatchObject(refused);
    expect(operations()).toEqual([]);
  });

  test('takes no API token that was never made, however often', async () => {
    for (let n = 0; n < 6; n++)
      await expect(from('api', generateApiToken(runtime.random))).rejects.toMatchObject(refused);
    expect(new Set(operations())).toEqual(new Set(['GetItem']));
  });

  test.each<[string, Partial<Account>]>([
    ['is cancelled', { isactive: false }],
    ['is locked for good', { lockoutend: FOREVER }],
  ])('takes none whose owner %s', async (_name, part) => {
    const ada = await account();
    const { value } = await createToken(runtime, ada, 'ci', by('admin'));
    await put(table, accountKey(ada.username), { ...ada, ...part });
    await expect(from('api', value as string)).rejects.toMatchObject(refused);
  });

  test('does not call a token invalid while the table is down', async () => {
    const { value } = await createToken(runtime, await account(), 'ci', by('admin'));
    wire.script(() => DOWN);
    await expect(from('api', value as string)).rejects.toMatchObject({ name: 'InternalServerError' });
  });
});

describe('a logout', () => {
  const CLEARED = 'ptoken=; Path=/; HttpOnly; Secure; SameSite=Lax; Max-Age=0';

  test('ends all sessions of its account, and removes the cookie', async () => {
    const ada = await user();
    const sessions = [await from(ada.username, PASSWORD), await from(ada.username, PASSWORD)];
    const other = await user();
    const { data: theirs } = await from(other.username, PASSWORD);
    const { data, cookies } = await logOut({ ...runtime, uuid: () => 'stamp-2' }, ada, event);
    expect(data).toEqual({ username: ada.username });
    expect(cookies).toEqual([CLEARED]);
    expect((await get(table, accountKey(ada.username)))?.stamp).toBe('stamp-2');
    for (const { data: session } of sessions)
      await expect(callerOf(session.JWTtoken)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect((await callerOf(theirs.JWTtoken)).id).toBe(other.id);
    const { data: next } = await from(ada.username, PASSWORD);
    expect((await callerOf(next.JWTtoken)).id).toBe(ada.id);
  });

  test('fails where the stamp cannot be changed', async () => {
    const ada = await account();
    wire.script(() => DOWN);
    await expect(logOut(runtime, ada, event)).rejects.toMatchObject({ name: 'InternalServerError' });
  });

  test('makes no account where there is none', async () => {
    const ada = await account();
    await remove(table, accountKey(ada.username));
    await logOut(runtime, ada, event);
    expect(await get(table, accountKey(ada.username))).toBeUndefined();
  });
});
