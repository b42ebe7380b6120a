import { type CryptoKey, decodeJwt } from 'jose';
import { describe, expect, test, vi } from 'vitest';
import { MAX_ASSERTION_AGE } from '#lib/auth/step-up';
import { endpoint } from '#lib/handler/endpoint';
import { refusal } from '#lib/http/oauth-refusal';
import { GRANT_TYPES, TOKEN_TYPES } from '#lib/oauth/grant-types';
import { grantToken } from '#lib/oauth/token';
import { contract } from '#lib/oauth/token.contract';
import { generateApiToken } from '#lib/token/secret';
import { call, openEndpoints } from '../support/endpoints.ts';
import { NOON } from '../support/engine.ts';
import { gatewayEvent } from '../support/gateway-event.ts';
import { auditLines } from '../support/log-lines.ts';
import { setAttributes } from '../support/set-attributes.ts';
import { grantingOn, openOAuth } from './bench.ts';

const ISSUER = 'https://accounts.example.com';
const PAYROLL = 'https://payroll.example.com/api';
const ADMIN = 'https://admin.example.com';
const RESOURCES = JSON.stringify([
  { audience: PAYROLL },
  { audience: ADMIN, roles: ['sys_administrator', 'sys_introspection', 'reads'] },
]);
const SETTINGS = { Resources: RESOURCES, Issuer: ISSUER };
for (const [name, value] of Object.entries(SETTINGS)) vi.stubEnv(`Settings__${name}`, value);

const bench = await openEndpoints(SETTINGS);
const { table, runtime, clock } = bench;
const { key, resourceKey, granting } = await grantingOn(bench);
const handler = endpoint(contract, ({ body, event }) => grantToken(granting, body, event), {
  signingKey: () => async () => key,
  resourceKey: () => async () => resourceKey,
  refusal,
});
const { account, token } = await bench.caller({ roles: ['reads', 'writes'] });

const post = async (form: string, headers: Readonly<Record<string, string>> = {}) => {
  const { status, payload } = await call(handler, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: form,
  });
  return { status, ...(payload as { access_token?: string; error?: string; scope?: string }) };
};
const CLIENT = { grant_type: GRANT_TYPES.client, client_secret: token };
const EXCHANGE = { grant_type: GRANT_TYPES.exchange, subject_token_type: TOKEN_TYPES.access };
const formOf = (fields: Readonly<Record<string, string>>) => `${new URLSearchParams(fields)}`;
const ask = (body: Readonly<Record<string, string>>) =>
  grantToken(granting, body, gatewayEvent({ method: 'POST' }));
const exchanged = async (subject_token: string, more: Readonly<Record<string, string>> = {}) => {
  const { data } = await ask({ ...EXCHANGE, subject_token, resource: PAYROLL, ...more });
  return { data, claims: decodeJwt(data.access_token) };
};
const sessionOf = (of: typeof account, claims: object = {}) => bench.session(of, key, clock(), claims);
const PASSKEY = { laptop: 'key-1' };
const errorOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'none',
    ({ error, code }) => error ?? code,
  );

describe('a resource is compared letter for letter:', () => {
  test.each([
    ['another case of the host', 'https://Payroll.example.com/api'],
    ['a final slash', `${PAYROLL}/`],
    ['a trailing dot of the host', 'https://payroll.example.com./api'],
    ['a port', 'https://payroll.example.com:443/api'],
    ['percent-encoding', 'https://payroll.example.com/%61pi'],
    ['a letter that looks alike', 'https://p\u0430yroll.example.com/api'],
    ['a wide letter', 'https://\uff50ayroll.example.com/api'],
    ['a space after it', `${PAYROLL} `],
    ['a null after it', `${PAYROLL}\0`],
    ['a zero-width space', `${PAYROLL}\u200b`],
    ['two in one', `${PAYROLL} ${ADMIN}`],
    ['a user', 'https://x@payroll.example.com/api'],
    ['this API with a slash', `${ISSUER}/api/core/`],
    ['this API in another case', ISSUER.toUpperCase()],
    ['a line break', `${PAYROLL}\r\n{"action":"oauth.token"}`],
    ['a name of every object', '__proto__'],
  ])('%s is another one', async (_, resource) => {
    expect(await post(formOf({ ...CLIENT, resource }))).toMatchObject({
      status: 400,
      error: 'invalid_target',
    });
  });

  test.each([
    ['two different', `&resource=${encodeURIComponent(PAYROLL)}&resource=${encodeURIComponent(ADMIN)}`],
    ['twice the same', `&resource=${encodeURIComponent(PAYROLL)}&resource=${encodeURIComponent(PAYROLL)}`],
    ['an empty one and another', `&resource=&resource=${encodeURIComponent(PAYROLL)}`],
    [
      'this API and another',
      `&resource=${encodeURIComponent(ISSUER)}&resource=${encodeURIComponent(PAYROLL)}`,
    ],
  ])('%s are refused', async (_, more) => {
    expect(await post(formOf(CLIENT) + more)).toMatchObject({ status: 400, error: 'invalid_target' });
  });

  test.each(['%72esource', 'resource'])('a name that is written %s has it', async (name) => {
    const { access_token = '' } = await post(`${formOf(CLIENT)}&${name}=${encodeURIComponent(PAYROLL)}`);
    expect(decodeJwt(access_token)).toMatchObject({ aud: PAYROLL, sub: account.id });
  });
});

describe('strangers do not learn which services there are', () => {
  const UNKNOWN = generateApiToken((bytes) => new Uint8Array(bytes).fill(7));
  test.each([
    ['an unknown API token', { ...CLIENT, client_secret: UNKNOWN }],
    ['no secret', { grant_type: GRANT_TYPES.client }],
    ['a forged session', { ...EXCHANGE, subject_token: 'a.b.c' }],
    ['an unknown trust', { grant_type: GRANT_TYPES.assertion, client_id: 'a@b', assertion: 'a.b.c' }],
  ])('%s', async (_, form) => {
    const [known, unknown] = await Promise.all(
      [PAYROLL, 'https://unknown.example.com'].map((resource) => post(formOf({ ...form, resource }))),
    );
    expect(unknown).toEqual(known);
    expect(known?.error).toMatch(/^invalid_(client|request|grant)$/);
  });
});

describe('another service as audience gives no session that a client would pass to it', () => {
  test.each([
    ['client_credentials', CLIENT],
    ['an exchange', { ...EXCHANGE, subject_token: token }],
  ])('by %s', async (_, form) => {
    expect(await errorOf(ask({ ...form, audience: PAYROLL }))).toBe('invalid_target');
    expect(await errorOf(ask({ ...form, audience: PAYROLL, resource: PAYROLL }))).toBe('invalid_target');
    expect(await errorOf(ask({ ...form, audience: ISSUER }))).toBe('none');
  });

  test('by an assertion, which may repeat its trust', async () => {
    const { machine, assertion, tokenOf } = await openOAuth();
    const { name } = await machine();
    expect(await errorOf(assertion(name, await tokenOf(), { audience: PAYROLL }))).toBe('invalid_target');
    expect(await errorOf(assertion(name, await tokenOf(), { audience: name }))).toBe('none');
  });
});

describe('a token has no more than its credential', () => {
  test('a session that was narrowed', async () => {
    const session = await sessionOf(account, { limits: { roles: ['writes'] } });
    expect((await exchanged(session)).claims).toMatchObject({ roles: ['writes'], scope: 'writes' });
    expect(await errorOf(exchanged(session, { scope: 'reads' }))).toBe('invalid_scope');
    const none = await sessionOf(account, { limits: { roles: [] } });
    expect((await exchanged(none)).claims).toMatchObject({ roles: [] });
  });

  test.each(['reads  writes', 'writes reads reads', ' reads writes '])('scope %j', async (scope) => {
    const { roles } = (await exchanged(token, { scope })).claims as { roles: string[] };
    expect(roles.toSorted()).toEqual(['reads', 'writes']);
  });

  test.each(['reads\twrites', 'Reads', 'reads,writes', 'sys_administrator', '*'])(
    'scope %j is refused',
    async (scope) => {
      expect(await errorOf(exchanged(token, { scope }))).toBe('invalid_scope');
    },
  );
});

describe('roles of this service at another one need what the step-up demands here:', () => {
  const RECENT = { auth_time: NOON / 1000 - MAX_ASSERTION_AGE + 60 };
  const OLD = { auth_time: NOON / 1000 - MAX_ASSERTION_AGE - 60 };
  const administrator = (more: object = {}) =>
    bench.caller({ roles: ['reads', 'sys_administrator'], ...more });
  const rolesFor = async (subject: string, settings: object, more: Readonly<Record<string, string>> = {}) => {
    const changed = { ...granting, settings: { ...runtime.settings, ...settings } };
    const body = { ...EXCHANGE, subject_token: subject, resource: ADMIN, ...more };
    const { data } = await grantToken(changed, body, gatewayEvent({ method: 'POST' }));
    return decodeJwt(data.access_token)['roles'];
  };
  const BOTH = ['reads', 'sys_administrator'];
  const LESS = ['reads'];

  test.each([
    ['off', {}, true, BOTH],
    ['offered', {}, false, BOTH],
    ['offered', {}, true, LESS],
    ['offered', OLD, true, LESS],
    ['offered', RECENT, true, BOTH],
    ['administrators', {}, false, LESS],
    ['administrators', {}, true, LESS],
    ['administrators', RECENT, true, BOTH],
  ])('%s, a session with %j, with a passkey: %s -> %j', async (SecondFactor, claims, hasPasskey, roles) => {
    const { account: owner } = await administrator();
    if (hasPasskey) await setAttributes(table, owner, { passkeys: PASSKEY });
    const session = await sessionOf(owner, claims);
    expect(await rolesFor(session, { SecondFactor })).toEqual(roles);
    if (roles === LESS)
      await expect(rolesFor(session, { SecondFactor }, { scope: 'sys_administrator' })).rejects.toMatchObject(
        {
          error: 'invalid_scope',
        },
      );
  });

  test.each([
    [true, BOTH],
    [false, LESS],
  ])('an API token, with AdministratorTokens=%s -> %j', async (AdministratorTokens, roles) => {
    const { token: own } = await administrator();
    const settings = { SecondFactor: 'administrators', AdministratorTokens };
    expect(await rolesFor(own, settings)).toEqual(roles);
  });

  test('they are in no token for a service that does not list them', async () => {
    const { token: own } = await administrator();
    expect((await exchanged(own)).claims).toMatchObject({ roles: ['reads'], scope: 'reads' });
    expect(await errorOf(exchanged(own, { scope: 'sys_administrator' }))).toBe('invalid_scope');
  });
});

const lines = auditLines();

test('the audit log has the service as the setting names it, and nothing of a refused name', async () => {
  await post(formOf({ ...CLIENT, resource: PAYROLL }));
  await post(formOf({ ...CLIENT, resource: 'x:"}\n{"level":"audit","actor":"admin"}' }));
  expect(lines).toMatchObject([
    { actor: account.username, outcome: 'ok', details: { resource: PAYROLL, token_id: expect.any(String) } },
  ]);
  expect(lines).toHaveLength(1);
});

describe('two instances that issue tokens for each other, and trust each other,', async () => {
  const OTHER = 'https://other.example.com';
  const a = await openOAuth([], { Resources: JSON.stringify([{ audience: OTHER, minutes: 5 }]) });
  const OWN = 'https://accounts.example.com';
  const jwks = { keys: [a.resourceKey.publicJwk] };
  const b = await openOAuth([{ name: 'a', issuer: OWN, jwks }], {
    Issuer: OTHER,
    Resources: JSON.stringify([{ audience: OWN, minutes: 15 }]),
  });

  /** A session of a machine of the second instance, by a token that the first one has issued for a session of its own. */
  const hop = async () => {
    const { account: first } = await a.machine();
    const claims = { sub: first.id, name: first.username, sst: first.stamp };
    const session = await bench.session(first, a.key, a.clock(), claims);
    const { data } = await a.ask({ ...EXCHANGE, subject_token: session, resource: OTHER });
    const second = await b.machine({ trust_issuer: 'a', trust_subject: first.id, max_minutes: 60 });
    return { token: data.access_token, name: second.name };
  };

  test('lengthen no life: what the second issues ends with the token of the first', async () => {
    const { token: foreign, name } = await hop();
    const { exp = 0 } = decodeJwt(foreign);
    expect(exp).toBe(NOON / 1000 + 300);
    b.clock.time = NOON + 120_000;
    const { data } = await b.assertion(name, foreign);
    expect([data.expires_in, decodeJwt(data.access_token).exp]).toEqual([180, exp]);
    const { data: direct } = await b.assertion(name, foreign, { resource: OWN });
    const { data: back } = await b.ask({ ...EXCHANGE, subject_token: data.access_token, resource: OWN });
    for (const { access_token } of [direct, back])
      expect(decodeJwt(access_token)).toMatchObject({ iss: OTHER, aud: OWN, exp });
  });

  test('not even by the skew of their clocks', async () => {
    const { token: foreign, name } = await hop();
    b.clock.time = NOON + 299_000;
    expect((await b.assertion(name, foreign)).data.expires_in).toBe(1);
    b.clock.time = NOON + 301_000;
    await expect(b.assertion(name, foreign)).rejects.toMatchObject({
      error: 'invalid_grant',
      cause: 'grant_expired',
    });
  });

  test('and no instance takes a token of its own, in whatever setting it is an issuer', async () => {
    const alone = await openOAuth([{ name: 'own', issuer: OWN, jwks }], { Issuer: '', ApiUrl: `${OWN}/api` });
    const { name } = await alone.machine({ trust_issuer: 'own' });
    const own = await alone.tokenOf(
      { iss: OWN },
      { ...a.resourceKey, alg: 'RS256', privateKey: a.resourceKey.key as unknown as CryptoKey },
    );
    await expect(alone.assertion(name, own)).rejects.toMatchObject({ cause: 'unknown_issuer' });
  });
});
