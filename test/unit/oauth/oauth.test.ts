import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test, vi } from 'vitest';
import { endSessions } from '#lib/account/reset-stamp';
import { type Authenticate, authenticator } from '#lib/auth/authenticate';
import { Answer } from '#lib/contract/answer';
import { asAnswer } from '#lib/http/envelope';
import { type Account, FOREVER } from '#lib/item/account';
import { tokenSubject } from '#lib/item/audit-entry';
import type { CredentialLimits } from '#lib/item/token';
import { inspect } from '#lib/oauth/inspect';
import { revokeCredential } from '#lib/oauth/revoke';
import { signSession } from '#lib/session/session-token';
import { assign } from '#lib/table/expressions';
import { tokenKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { update } from '#lib/table/write';
import { createToken } from '#lib/token/create';
import { rotateToken } from '#lib/token/rotate';
import { generateApiToken, hashApiToken, secretId } from '#lib/token/secret';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { by, NOON, openTestTable } from '../support/engine.ts';
import { setAttributes } from '../support/set-attributes.ts';
import { publishKey } from '../support/signing-keys.ts';

const { table, wire, clock, runtime, account, stored } = await openTestTable();
const key = await publishKey(table);
const seconds = NOON / 1000;
const INACTIVE = { active: false };
const LIMITS: CredentialLimits = { access: 'read', roles: ['b', 'c'], addresses: ['192.0.2.0/24'] };

let authenticate: Authenticate;
let ada: Account;
beforeEach(async () => {
  authenticate = authenticator(runtime);
  ada = await account({ roles: ['a', 'b'] });
});

const tokenOf = async (owner: Account, limits: CredentialLimits = {}, name = 'ci') =>
  (await createToken(runtime, owner, name, by('admin'), limits)).value as string;
const sessionOf = ({ id, username, stamp }: Account, jti: string, limits?: CredentialLimits, tid?: string) =>
  signSession(runtime, key, { sub: id, name: username, sst: stamp, limits, tid }, seconds, 3600, jti);
const inspected = async (text: string) => asAnswer(await inspect(authenticate, text)).data;
const revoked = (text: string, limits: CredentialLimits = {}, value = '') =>
  revokeCredential(runtime, authenticate, text, by('eve'), { value, limits });

test.each([
  ['a token', {}, { scope: 'a b' }],
  ['a narrow token', LIMITS, { scope: 'b', access: 'read', addresses: ['192.0.2.0/24'] }],
  ['an expiring token', { expires_at: NOON + 1999 }, { scope: 'a b', exp: seconds + 1 }],
  ['a token without roles', { roles: [] }, {}],
] as const)('inspect describes %s, with and without its user', async (_, limits, described) => {
  const token = await tokenOf(ada, limits);
  const of = { active: true, sub: ada.id, username: ada.username, client_id: 'ci' };
  const expected = { ...of, iat: seconds, token_type: 'Token', ...described };
  for (const text of [token, `api:${token}`]) expect(await inspected(text)).toEqual(expected);
});

test.each([
  [undefined, { scope: 'a b' }],
  [LIMITS, { scope: 'b', access: 'read', addresses: ['192.0.2.0/24'] }],
] as const)('inspect describes a session with the limits %j', async (limits, described) => {
  const times = { iat: seconds, exp: seconds + 3600 };
  const of = { active: true, sub: ada.id, username: ada.username, client_id: 'jti' };
  const expected = { ...of, ...times, token_type: 'Bearer', ...described };
  expect(await inspected(await sessionOf(ada, 'jti', limits))).toEqual(expected);
});

test('inspect reports the end of the overlap when the secret that opened a session was replaced', async () => {
  const session = await sessionOf(ada, 'jti', {}, 'secret');
  await setAttributes(table, ada, { ended: { secret: { at: NOON + 60_999, until: seconds + 3600 } } });
  expect(await inspected(session)).toMatchObject({ active: true, exp: seconds + 60 });
});

test('inspect records the use of a token', async () => {
  const token = await tokenOf(ada);
  await inspected(token);
  expect(await get(table, tokenKey(hashApiToken(token)))).toHaveProperty('token_used_at');
});

test('inspect waits until a use is recorded', async () => {
  const recorded = vi.fn();
  const verify: Authenticate = async (one) => ({
    ...(await authenticate(one)),
    recorded: sleep(5).then(recorded),
  });
  await inspect(verify, await tokenOf(ada));
  expect(recorded).toHaveBeenCalled();
});

test('inspect fails while the table is down, instead of answering that a credential is not active', async () => {
  const token = await tokenOf(ada);
  wire.script(() => DOWN);
  await expect(inspected(token)).rejects.toMatchObject({ name: 'InternalServerError' });
});

test.each([
  ['whose account is active', { isactive: true }],
  ['whose account is locked', { lockoutend: FOREVER }],
  ['whose account is cancelled', { isactive: false }],
])('revoke deletes a token %s, and no other', async (_, state) => {
  const [token, kept] = [await tokenOf(ada), await tokenOf(ada, {}, 'kept')];
  await setAttributes(table, ada, state);
  const about = tokenSubject('ci', ada.username);
  expect(await revoked(`api:${token}`)).toEqual(new Answer({}, { about, changed: true }));
  await setAttributes(table, ada, { lockoutend: undefined, isactive: true });
  expect([await inspected(token), await inspected(kept)]).toMatchObject([INACTIVE, { active: true }]);
});

test.each([
  ['API token', (token: string, _session: string) => token],
  ['session', (_token: string, session: string) => session],
])('revoke ends the read-only %s of the request, and nothing else for it', async (_kind, pick) => {
  const limits = { access: 'read' } as const;
  const [token, other] = [await tokenOf(ada, limits), await tokenOf(ada, limits, 'other')];
  const [one, two] = [await sessionOf(ada, 'one', limits, 'x'), await sessionOf(ada, 'two', limits, 'x')];
  const own = pick(token, one);
  const others = [token, other, one, two].filter((each) => each !== own);
  for (const text of [...others, 'unknown'])
    await expect(revoked(text, limits, own)).rejects.toMatchObject({ code: 'forbidden' });
  for (const each of others) expect(await inspected(each)).toMatchObject({ active: true });
  expect(await revoked(own, limits, own)).toMatchObject({ changed: true });
  expect(await inspected(own)).toEqual(INACTIVE);
});

test('revoke ends a session, and no other', async () => {
  const [session, other] = [await sessionOf(ada, 'one'), await sessionOf(ada, 'two')];
  expect(await revoked(session)).toMatchObject({
    data: {},
    about: { target: ada.username },
    details: { session: 'one' },
    changed: true,
  });
  expect([await inspected(session), await inspected(other)]).toMatchObject([INACTIVE, { active: true }]);
  expect((await stored(ada)).ended).toEqual({ one: { at: 0, until: seconds + 3600 } });
});

test.each([60, 86_400])('revoke ends a former secret with a session of %i s, and no other', async (left) => {
  const former = await tokenOf(ada);
  const Key = tokenKey(hashApiToken(former));
  await update(table, { Key, ...assign({ session_until: seconds + left }, {}) });
  const { value: token } = await rotateToken(runtime, ada, 'ci', by('admin'), 60);
  const session = await sessionOf(ada, 'jti', undefined, secretId(hashApiToken(former)));
  expect(await inspected(session)).toMatchObject({ active: true });
  const about = tokenSubject('ci', ada.username);
  expect(await revoked(former)).toMatchObject({ about, details: { secret: 'former' }, changed: true });
  for (const text of [former, session]) expect(await inspected(text)).toEqual(INACTIVE);
  expect(await inspected(token)).toMatchObject({ active: true });
  const ended = { [secretId(hashApiToken(former))]: { at: 0, until: seconds + Math.max(left, 3600) } };
  expect((await stored(ada)).ended).toEqual(ended);
});

const mentions = (text: string) => (_: unknown, sent: object) => JSON.stringify(sent).includes(text);

test.each(['ACCOUNT#', 'NAMES#'])(
  'revoke ends a secret that is replaced before the read of %s',
  async (kind) => {
    const token = await tokenOf(ada);
    wire.before(
      (operation, sent) => operation === 'GetItem' && mentions(kind)(operation, sent),
      () => rotateToken(runtime, ada, 'ci', by('admin'), 60),
    );
    expect(await revoked(token)).toMatchObject({ about: tokenSubject('ci', ada.username), changed: true });
    expect(await inspected(token)).toEqual(INACTIVE);
  },
);

test('revoke ends a former secret when another request ends all sessions meanwhile', async () => {
  const token = await tokenOf(ada);
  await rotateToken(runtime, ada, 'ci', by('admin'), 60);
  wire.before(mentions('#ended'), () => endSessions(runtime, ada));
  expect(await revoked(token)).toMatchObject({ about: tokenSubject('ci', ada.username), changed: true });
  expect(await inspected(token)).toEqual(INACTIVE);
});

test.each<[string, () => Promise<string>]>([
  ['a text', async () => 'correct horse'],
  ['an unknown token', async () => generateApiToken(runtime.random)],
  ['a token with another user', async () => `admin:${await tokenOf(ada)}`],
  ['a token that has just expired', () => tokenOf(ada, { expires_at: NOON })],
  [
    'a token of another account of the name',
    () => tokenOf(ada).finally(() => setAttributes(table, ada, { id: 'other' })),
  ],
  ['a session with a user', async () => `api:${await sessionOf(ada, 'jti')}`],
  ['a session of a former stamp', () => sessionOf({ ...ada, stamp: 'former' }, 'jti')],
  ['a session that expired', () => sessionOf(ada, 'jti').finally(() => (clock.time += 3_606_000))],
])(
  'inspect answers only that a credential is not active, and revoke changes nothing, when it is %s',
  async (_, make) => {
    const text = await make();
    const before = await stored(ada);
    expect(await inspected(text)).toEqual(INACTIVE);
    expect(await revoked(text)).toMatchObject({ data: {}, about: { target: null }, changed: false });
    expect(await stored(ada)).toEqual(before);
  },
);

test.each([
  ['a token', () => tokenOf(ada)],
  ['a session', () => sessionOf(ada, 'jti')],
] as const)('revoke answers alike when parallel requests end %s', async (_, make) => {
  const text = await make();
  const answers = await Promise.all(Array.from({ length: 10 }, () => revoked(text)));
  expect(answers.map(({ data }) => data)).toEqual(Array(10).fill({}));
  expect(await inspected(text)).toEqual(INACTIVE);
});

test('revoke leaves later sessions alone when another request has ended all of them meanwhile', async () => {
  const session = await sessionOf(ada, 'jti');
  wire.before(mentions('#ended'), () => endSessions(runtime, ada));
  expect(await revoked(session)).toMatchObject({ about: { target: null }, changed: false });
  const { stamp, ended } = await stored(ada);
  expect([stamp !== ada.stamp, ended]).toEqual([true, undefined]);
});
