import { expect, test } from 'vitest';
import { endSession, listSessions } from '#lib/account/sessions';
import { type Authenticate, authenticator } from '#lib/auth/authenticate';
import type { Account } from '#lib/item/account';
import { logIn as exchange } from '#lib/login/login';
import { MAX_AGENT } from '#lib/login/session-record';
import { assign } from '#lib/table/expressions';
import { sessionKey, tokenKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { remove, update } from '#lib/table/write';
import { createToken } from '#lib/token/create';
import { deleteToken } from '#lib/token/delete';
import { generateApiToken, hashApiToken } from '#lib/token/secret';
import { seededBytes } from '../../names.ts';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { by, NOON } from '../support/engine.ts';
import { gatewayEvent } from '../support/gateway-event.ts';
import { publishKey } from '../support/signing-keys.ts';
import { HERE, openLogin, PASSWORD } from './bench.ts';

const { table, wire, clock, runtime, account, stored, user } = await openLogin();
const key = await publishKey(table);
const END = NOON / 1000 + 86_400;

async function logIn(username: string, password = PASSWORD, part: object = {}) {
  const event = gatewayEvent();
  const { http } = event.requestContext;
  const context = { ...event.requestContext, http: { ...http, ...part } };
  const login = { username, password };
  const signing = { ...runtime, signingKey: async () => key };
  const { data } = await exchange(signing, login, { ...event, requestContext: context });
  return data.JWTtoken;
}
async function tokenOf(owner: Account) {
  const { value } = await createToken(runtime, owner, 'ci', by('admin'));
  wire.reset();
  return { value, key: tokenKey(hashApiToken(value)) };
}
const sessionsOf = async (of: Account) => (await listSessions(runtime, await stored(of))).items;
const authenticate = (value: string, by: Authenticate = authenticator(runtime)) =>
  by({ kind: 'jwt', value, address: HERE });
const isSession = (input: object) => JSON.stringify(input).includes('SESSION#');
const notesEnd = (_operation: string, input: object) => JSON.stringify(input).includes('session_until');

test('a login with a password can be listed and ended, alone, without a read more', async () => {
  const ada = await user();
  const [jwt, other] = [await logIn(ada.username), await logIn(ada.username)];
  const own = authenticator(runtime);
  const { credential: id } = await authenticate(jwt, own);
  const listed = await sessionsOf(ada);
  expect(listed).toHaveLength(2);
  expect(listed.find((one) => one.id === id)).toEqual({
    ...{ id, address: HERE, user_agent: 'test', credential: null },
    created_at: new Date(NOON).toISOString(),
    expires_at: new Date(END * 1000).toISOString(),
  });
  expect(await get(table, sessionKey(ada.username, id))).toMatchObject({ kid: key.kid });
  await endSession(runtime, ada, id);
  wire.reset();
  await expect(authenticate(jwt, own)).rejects.toMatchObject({ code: 'unauthenticated' });
  expect(wire.commands.map(({ operation }) => operation)).toEqual(['GetItem']);
  await authenticate(other, own);
});

const TOKEN = generateApiToken(seededBytes);

test.each<[string, string | undefined, string | null]>([
  ['nothing', '', null],
  ['no header', undefined, null],
  ['control characters', 'a\u0000\u001b[31m\u202eb\n', 'a[31mb'],
  ['a credential between control characters', `x ${TOKEN.replace('_', '\u0000_')}`, 'x [redacted]'],
  ['words that begin a header', 'Basic client/1.0 (token service)', 'Basic client/1.0 (token service)'],
  ['many characters', 'x'.repeat(9000), 'x'.repeat(MAX_AGENT)],
  ['half of a character at the cut', `${'x'.repeat(MAX_AGENT - 1)}🦊`, `${'x'.repeat(MAX_AGENT - 1)}\ufffd`],
])('a login with a password records a user agent with %s', async (_what, sent, expected) => {
  const ada = await user();
  await logIn(ada.username, PASSWORD, { userAgent: sent });
  expect((await sessionsOf(ada))[0]?.user_agent).toBe(expected);
});

test('a login with a password fails when its session cannot be recorded', async () => {
  const { username } = await user();
  wire.script((_operation, input) => (isSession(input) ? DOWN : undefined));
  await expect(logIn(username)).rejects.toMatchObject({ name: 'InternalServerError' });
});

test('a login with a token names the token, notes its end there at most once in a minute, and ends with it', async () => {
  const ada = await account();
  const { value, key } = await tokenOf(ada);
  await logIn('api', value);
  expect(await sessionsOf(ada)).toMatchObject([{ credential: 'ci' }]);
  expect((await get(table, key))?.session_until).toBe(END + 60);
  for (const [time, until] of [
    [NOON + 60_000, END + 60],
    [NOON + 61_000, END + 121],
  ] as const) {
    clock.time = time;
    await logIn('api', value);
    expect((await get(table, key))?.session_until).toBe(until);
  }
  await deleteToken(runtime, await stored(ada), 'ci', by('admin'));
  expect(await sessionsOf(ada)).toEqual([]);
});

test('the session of a token that ends has the last whole second of the token as its end', async () => {
  const ada = await account();
  const { value } = await createToken(runtime, ada, 'ci', by('admin'), { expires_at: NOON + 90_500 });
  await logIn('api', value);
  expect(await sessionsOf(ada)).toMatchObject([{ expires_at: new Date(NOON + 90_000).toISOString() }]);
});

test('a login with a token succeeds in parallel, and the end covers every session', async () => {
  const { value, key } = await tokenOf(await account());
  wire.before(notesEnd, () => update(table, { Key: key, ...assign({ session_until: END + 61 }, {}) }));
  const all = await Promise.all(Array.from({ length: 20 }, () => logIn('api', value)));
  expect(new Set(all).size).toBe(20);
  expect((await get(table, key))?.session_until).toBe(END + 61);
});

test.each<[string, (key: ReturnType<typeof tokenKey>) => Promise<unknown>, object]>([
  ['deleted', (key) => remove(table, key), { code: 'invalid_credentials' }],
  [
    'rotated',
    (key) => update(table, { Key: key, ...assign({ expires_at: NOON + 1 }, {}) }),
    { code: 'unavailable', retryAfter: 1 },
  ],
])('a login with a token fails when the token was %s after it was read', async (_how, change, failure) => {
  const ada = await account();
  const { value, key } = await tokenOf(ada);
  wire.before(notesEnd, () => change(key));
  await expect(logIn('api', value)).rejects.toMatchObject(failure);
  expect(await sessionsOf(ada)).toEqual([]);
  expect((await get(table, key))?.session_until).toBeUndefined();
});
