import { type JWTPayload, jwtVerify } from 'jose';
import { describe, expect, test } from 'vitest';
import type { Account } from '#lib/item/account';
import type { CredentialLimits } from '#lib/item/token';
import { GRANT_TYPES, TOKEN_TYPES } from '#lib/oauth/grant-types';
import { grantToken } from '#lib/oauth/token';
import { cachedPublicKeys } from '#lib/session/public-keys';
import { type Session, signSession } from '#lib/session/session-token';
import { sessionsOf } from '#lib/table/keys';
import { query } from '#lib/table/read';
import { createToken } from '#lib/token/create';
import { rotateToken } from '#lib/token/rotate';
import { by, NOON } from '../support/engine.ts';
import { gatewayEvent } from '../support/gateway-event.ts';
import { AUDIENCE, ISSUER, openOAuth, TRUST } from './bench.ts';

const ORDERS = 'https://orders.example.com';
const BILLING = 'urn:example:billing';
const RESOURCES = [
  { audience: ORDERS },
  { audience: BILLING, roles: ['reads', 'sys_tokens'], minutes: 15 },
  { audience: 'https://narrow.example.com', roles: ['strange'], minutes: 1 },
];
const bench = await openOAuth([], { Resources: JSON.stringify(RESOURCES) });
const { table, wire, clock, runtime, key, resourceKey, granting, machine, tokenOf, exchange, assertion } =
  bench;

const SECONDS = NOON / 1000;
const ROLES = ['reads', 'deploys', 'sys_tokens'];
const EXCHANGE = { grant_type: GRANT_TYPES.exchange, subject_token_type: TOKEN_TYPES.access };

const apiToken = async (of: Account, limits: CredentialLimits = {}, name = 'ci') =>
  (await createToken(runtime, of, name, by('admin'), limits)).value as string;
const sessionOf = ({ id, username, stamp }: Account, more: Partial<Session> = {}, lifetime = 3600) =>
  signSession(
    runtime,
    key,
    { sub: id, name: username, sst: stamp, ...more },
    clock() / 1000,
    lifetime,
    'session-1',
  );
const basicOf = (secret: string) => ({
  headers: { authorization: `Basic ${Buffer.from(`any:${secret}`).toString('base64')}` },
});

type Asked = Readonly<Record<string, string>>;

/** The ways to prove a credential of an account, by their requests for a resource. */
const byToken = {
  Basic: (token: string, more: Asked) =>
    bench.ask({ grant_type: GRANT_TYPES.client, ...more }, basicOf(token)),
  form: (token: string, more: Asked) =>
    bench.ask({ grant_type: GRANT_TYPES.client, client_secret: token, ...more }),
  exchange: (token: string, more: Asked) => bench.ask({ ...EXCHANGE, subject_token: token, ...more }),
} as const;
const bySession = byToken.exchange;

/** The header and the claims of an issued token, verified by the public half of the key. */
async function verified(asked: Promise<{ readonly data: { readonly access_token: string } }>) {
  const { access_token } = (await asked).data;
  const { payload, protectedHeader } = await jwtVerify(
    access_token,
    resourceKey.publicJwk,
    // Tokens begin at the time of the test.
    { algorithms: ['RS256'], typ: 'at+jwt', issuer: AUDIENCE, currentDate: new Date(clock()) },
  );
  return { payload, header: protectedHeader };
}
const claimsOf = async (asked: Parameters<typeof verified>[0]) => (await verified(asked)).payload;

const refusalOf = async (asked: Promise<unknown>) => {
  const { error, cause } = (await asked.then(
    () => ({ error: 'none' }),
    (failure) => failure,
  )) as { error?: string; cause?: string };
  return cause === undefined ? error : `${error}: ${cause}`;
};

describe('a token for another service has exactly the claims of RFC 9068', () => {
  const expected = (sub: string, client_id: string, more: JWTPayload = {}) => ({
    iss: AUDIENCE,
    aud: ORDERS,
    sub,
    client_id,
    roles: ['reads', 'deploys'],
    scope: 'reads deploys',
    jti: expect.stringMatching(/^[\da-f]{8}-[\da-f-]{27}$/),
    iat: SECONDS,
    exp: SECONDS + 300,
    ...more,
  });
  const header = { alg: 'RS256', kid: resourceKey.kid, typ: 'at+jwt' };

  test.each(Object.entries(byToken))('for an API token by %s', async (way, ask) => {
    const account = await bench.account({ roles: ROLES });
    const answer = await ask(await apiToken(account), { resource: ORDERS });
    expect(await verified(Promise.resolve(answer))).toEqual({ header, payload: expected(account.id, 'ci') });
    expect(answer.data).toEqual({
      access_token: expect.any(String),
      ...(way === 'exchange' && { issued_token_type: TOKEN_TYPES.access }),
      token_type: 'Bearer',
      expires_in: 300,
      scope: 'reads deploys',
      requestID: 'request-1',
    });
  });

  test('for a session', async () => {
    const account = await bench.account({ roles: ROLES });
    const answer = await bySession(await sessionOf(account), { resource: ORDERS });
    expect(await verified(Promise.resolve(answer))).toEqual({
      header,
      payload: expected(account.id, 'session-1'),
    });
    expect(answer.data.issued_token_type).toBe(TOKEN_TYPES.access);
  });

  test.each([
    ['an exchange', exchange],
    ['an assertion', assertion],
  ])('for a job by %s', async (_, ask) => {
    const { account, name } = await machine({}, { roles: ['reads', 'deploys'] });
    expect(await verified(ask(name, await tokenOf(), { resource: ORDERS }))).toEqual({
      header,
      payload: expected(account.id, name),
    });
  });

  test('opens no session', async () => {
    const { account, name } = await machine();
    const token = await apiToken(account);
    await exchange(name, await tokenOf(), { resource: ORDERS });
    await byToken.form(token, { resource: ORDERS });
    await bySession(await sessionOf(account), { resource: ORDERS });
    expect(await query(table, sessionsOf(account.username))).toEqual([]);
  });

  test('has an ID of its own', async () => {
    const session = await sessionOf(await bench.account({ roles: ROLES }));
    const ids = await Promise.all(
      [0, 1, 2].map(async () => (await claimsOf(bySession(session, { resource: ORDERS }))).jti),
    );
    expect(new Set(ids).size).toBe(3);
  });
});

describe('a token for another service ends after', () => {
  const end = async (asked: Parameters<typeof verified>[0]) => {
    const answer = await asked;
    const { exp = 0 } = await claimsOf(Promise.resolve(answer));
    expect((answer.data as { expires_in?: number }).expires_in).toBe(exp - SECONDS);
    return exp - SECONDS;
  };

  test.each([
    [ORDERS, 300],
    [BILLING, 900],
    ['https://narrow.example.com', 60],
  ])('the minutes of %s', async (resource, seconds) => {
    expect(await end(bySession(await sessionOf(await bench.account()), { resource }))).toBe(seconds);
  });

  test.each(Object.entries(byToken))('its API token by %s', async (_, ask) => {
    const token = await apiToken(await bench.account(), { expires_at: NOON + 90_999 });
    expect(await end(ask(token, { resource: ORDERS }))).toBe(90);
  });

  test.each(Object.entries(byToken))('the overlap of a rotation, by %s', async (_, ask) => {
    const account = await bench.account();
    const former = await apiToken(account);
    await rotateToken(runtime, account, 'ci', by('admin'), 1);
    expect(await end(ask(former, { resource: ORDERS }))).toBe(60);
  });

  test('its session', async () => {
    const session = await sessionOf(await bench.account(), {}, 100);
    expect(await end(bySession(session, { resource: ORDERS }))).toBe(100);
  });

  test('the overlap of the API token that has opened its session', async () => {
    const account = await bench.account();
    const former = await apiToken(account);
    const { data } = await byToken.form(former, {});
    await rotateToken(runtime, account, 'ci', by('admin'), 2);
    expect(await end(bySession(data.access_token, { resource: ORDERS }))).toBe(120);
  });

  test('the minutes of its trust', async () => {
    const { name } = await machine({ max_minutes: 2 });
    expect(await end(exchange(name, await tokenOf(), { resource: ORDERS }))).toBe(120);
    expect(await end(exchange(name, await tokenOf(), { resource: 'https://narrow.example.com' }))).toBe(60);
  });

  test.each([-4, 0])('no credential that ends in %i s, although clocks may differ', async (left) => {
    const account = await bench.account();
    const session = await sessionOf(account, {}, 10);
    const token = await apiToken(account, { expires_at: NOON + 10_999 });
    clock.time = NOON + (10 - left) * 1000;
    for (const resource of [ORDERS, AUDIENCE])
      expect(await refusalOf(bySession(session, { resource }))).toBe('invalid_request: session_expired');
    expect(await refusalOf(byToken.exchange(token, { resource: ORDERS }))).toBe(
      'invalid_request: token_expired',
    );
    expect(await refusalOf(byToken.form(token, { resource: ORDERS }))).toBe('invalid_client: token_expired');
  });
});

describe('a token for another service has', () => {
  const holder = () => bench.account({ roles: ROLES });
  const rolesOf = async (asked: Parameters<typeof verified>[0]) => {
    const { roles, scope } = await claimsOf(asked);
    expect(scope).toBe((roles as string[]).join(' ') || undefined);
    return roles;
  };

  test.each<[string, string, CredentialLimits, string | undefined, string[]]>([
    ['the roles of its account without those of this service', ORDERS, {}, undefined, ['reads', 'deploys']],
    ['those that the setting lists', BILLING, {}, undefined, ['reads', 'sys_tokens']],
    ['none', 'https://narrow.example.com', {}, undefined, []],
    ['those of its credential', ORDERS, { roles: ['reads', 'gone'] }, undefined, ['reads']],
    ['those of its credential that the setting lists', BILLING, { roles: ['deploys'] }, undefined, []],
    ['those of its scope', ORDERS, {}, 'deploys', ['deploys']],
    ['those of its scope that are of this service', BILLING, {}, 'sys_tokens', ['sys_tokens']],
  ])('%s', async (_, resource, limits, scope, roles) => {
    const account = await holder();
    const asked = { resource, ...(scope && { scope }) };
    const token = await apiToken(account, limits);
    for (const ask of Object.values(byToken)) expect(await rolesOf(ask(token, asked))).toEqual(roles);
    const session = await sessionOf(account, { limits });
    expect(await rolesOf(bySession(session, asked))).toEqual(roles);
  });

  test('the roles of its trust', async () => {
    const { name } = await machine({ trust_roles: ['reads'] });
    expect(await rolesOf(exchange(name, await tokenOf(), { resource: ORDERS }))).toEqual(['reads']);
  });

  test.each([
    ['its account lacks', ORDERS, 'reads strange'],
    ['the other service may not get', BILLING, 'deploys'],
    ['is of this service', ORDERS, 'sys_tokens'],
  ])('no role of a scope that %s', async (_, resource, scope) => {
    const account = await holder();
    const asked = { resource, scope };
    const token = await apiToken(account);
    for (const ask of Object.values(byToken))
      expect(await refusalOf(ask(token, asked))).toBe('invalid_scope');
    expect(await refusalOf(bySession(await sessionOf(account), asked))).toBe('invalid_scope');
  });

  test('no role that its credential lacks, in a scope', async () => {
    const session = await sessionOf(await holder(), { limits: { roles: ['reads'] } });
    expect(await refusalOf(bySession(session, { resource: ORDERS, scope: 'deploys' }))).toBe('invalid_scope');
  });
});

describe('no token for another service is issued', () => {
  const LIMITS: readonly CredentialLimits[] = [
    { access: 'read' },
    { addresses: ['192.0.2.0/24'] },
    { access: 'read', addresses: ['192.0.2.0/24'], roles: ['reads'] },
  ];

  test.each(LIMITS)('for a credential with the limits %j', async (limits) => {
    const account = await bench.account({ roles: ROLES });
    const token = await apiToken(account, limits);
    const asked = { resource: ORDERS };
    for (const ask of Object.values(byToken))
      expect(await refusalOf(ask(token, asked))).toBe('invalid_target');
    expect(await refusalOf(bySession(await sessionOf(account, { limits }), asked))).toBe('invalid_target');
    const { data } = await byToken.form(token, {});
    expect(await refusalOf(bySession(data.access_token, asked))).toBe('invalid_target');
    const { name } = await machine(limits);
    for (const ask of [exchange, assertion])
      expect(await refusalOf(ask(name, await tokenOf(), asked))).toBe('invalid_target');
  });

  test.each([
    'https://orders.example.com/',
    'HTTPS://orders.example.com',
    'https://orders.example.com:443',
    'orders',
    ` ${ORDERS}`,
    `${AUDIENCE}/api`,
    `${AUDIENCE}//`,
  ])('for the unknown service "%s", for which nothing is written', async (resource) => {
    const account = await bench.account();
    const [token, session] = [await apiToken(account), await sessionOf(account)];
    for (const ask of Object.values(byToken))
      expect(await refusalOf(ask(token, { resource }))).toBe('invalid_target');
    expect(await refusalOf(bySession(session, { resource }))).toBe('invalid_target');
    expect(await query(table, sessionsOf(account.username))).toEqual([]);
  });

  test('while its key is missing, for which nothing is spent', async () => {
    const { name } = await machine({ trust_issuer: 'once' });
    const assertion = await tokenOf({ iss: `${ISSUER}/once`, jti: 'waits' });
    const request = { grant_type: GRANT_TYPES.assertion, client_id: name, assertion, resource: ORDERS };
    const missing = { ...granting, resourceKey: () => Promise.reject(new Error('There is no key')) };
    wire.reset();
    await expect(grantToken(missing, request, gatewayEvent({ method: 'POST' }))).rejects.toThrow(
      'There is no key',
    );
    expect(bench.operations()).toEqual([]);
    expect(await refusalOf(bench.ask(request))).toBe('none');
  });
});

describe('a token of a platform for one use', () => {
  const once = (jti: string) => tokenOf({ iss: `${ISSUER}/once`, jti });

  test('gets one token for another service of twenty that are requested at once', async () => {
    const { name } = await machine({ trust_issuer: 'once' });
    const token = await once('j1');
    const asked = Array.from({ length: 20 }, () => refusalOf(exchange(name, token, { resource: ORDERS })));
    const outcomes = await Promise.all(asked);
    expect(outcomes.toSorted()).toEqual([...Array(19).fill('invalid_request: grant_spent'), 'none']);
  });

  test('gets a session or a token for another service, not both', async () => {
    const { name } = await machine({ trust_issuer: 'once' });
    for (const [jti, first, second] of [
      ['j2', {}, { resource: ORDERS }],
      ['j3', { resource: ORDERS }, {}],
    ] as const) {
      const token = await once(jti);
      expect(await refusalOf(exchange(name, token, first))).toBe('none');
      expect(await refusalOf(exchange(name, token, second))).toBe('invalid_request: grant_spent');
    }
  });

  test.each([
    ['an unknown service', { resource: 'https://x.example.com' }, 'invalid_target'],
    ['a role that the other service may not get', { resource: BILLING, scope: 'deploys' }, 'invalid_scope'],
  ])('stays unspent by a request for %s', async (what, asked, error) => {
    const { name } = await machine({ trust_issuer: 'once' });
    const token = await once(what);
    expect(await refusalOf(exchange(name, token, asked))).toBe(error);
    expect(await refusalOf(exchange(name, token, { resource: ORDERS }))).toBe('none');
  });

  test('stays unspent by a trust that is limited to reading', async () => {
    const read = await machine({ trust_issuer: 'once', access: 'read' });
    const { name } = await machine({ trust_issuer: 'once' });
    const token = await once('j4');
    expect(await refusalOf(exchange(read.name, token, { resource: ORDERS }))).toBe('invalid_target');
    expect(await refusalOf(exchange(name, token, { resource: ORDERS }))).toBe('none');
  });
});

describe('a resource that is this API gets', () => {
  const OWN = [AUDIENCE, `${AUDIENCE}/`, `${AUDIENCE}/api/core`];

  test.each(OWN)('a session of an API token, as %s', async (resource) => {
    const account = await bench.account();
    const token = await apiToken(account);
    for (const ask of Object.values(byToken)) {
      const { login } = await ask(token, { resource });
      expect(login).toMatchObject({ username: account.username, session: expect.any(String) });
    }
    expect(await query(table, sessionsOf(account.username))).toHaveLength(3);
  });

  test.each(OWN)('a session of a job, as %s', async (resource) => {
    const { account, name } = await machine();
    for (const ask of [exchange, assertion]) await ask(name, await tokenOf(), { resource });
    expect(await query(table, sessionsOf(account.username))).toHaveLength(2);
  });

  test.each([...OWN, undefined])('the very session that is exchanged, as %s', async (resource) => {
    const account = await bench.account({ roles: ROLES });
    const session = await sessionOf(account, { limits: { roles: ['reads'], access: 'read' } }, 100);
    clock.time += 30_000;
    const { data, changed } = await bySession(session, resource === undefined ? {} : { resource });
    expect(data).toEqual({
      access_token: session,
      issued_token_type: TOKEN_TYPES.access,
      token_type: 'Bearer',
      expires_in: 70,
      scope: 'reads',
      requestID: 'request-1',
    });
    expect(changed).toBe(false);
    expect(await query(table, sessionsOf(account.username))).toEqual([]);
  });

  test('no session with another scope for a session', async () => {
    const session = await sessionOf(await bench.account({ roles: ROLES }));
    for (const scope of ['reads', 'reads deploys sys_tokens'])
      expect(await refusalOf(bySession(session, { scope }))).toBe('invalid_scope');
  });
});

test('an issuer of the settings with the name of this one is ignored, so that no token for a service is one of a platform', async () => {
  const own = await openOAuth(
    [{ name: 'own', issuer: AUDIENCE, audience: ORDERS, jwks: { keys: [resourceKey.publicJwk] } }],
    { Resources: JSON.stringify(RESOURCES) },
  );
  const account = await bench.account({ roles: ROLES });
  const { data } = await bySession(await sessionOf(account), { resource: ORDERS });
  const { name } = await own.machine({ trust_issuer: 'own', trust_subject: account.id });
  expect(await refusalOf(own.exchange(name, data.access_token))).toBe('invalid_request: unknown_issuer');
  expect(await refusalOf(own.assertion(name, data.access_token))).toBe('invalid_grant: unknown_issuer');
  expect(TRUST).toBe(name.split('@')[0]);
});

test('the first exchange of a session verifies it with the keys that the function has read', async () => {
  const session = await sessionOf(await bench.account({ roles: ROLES }));
  const publicKeys = cachedPublicKeys(table, clock);
  await publicKeys.refresh(AbortSignal.timeout(10_000));
  wire.reset();
  const request = { ...EXCHANGE, subject_token: session, resource: ORDERS };
  await grantToken({ ...granting, publicKeys }, request, gatewayEvent({ method: 'POST' }));
  expect(bench.operations().filter((operation) => operation === 'Query')).toEqual([]);
});

test('an exchange of a session costs what its authentication costs', async () => {
  const account = await bench.account({ roles: ROLES });
  const session = await sessionOf(account);
  await bySession(session, { resource: ORDERS });
  wire.reset();
  await bySession(session, { resource: ORDERS });
  expect(bench.operations()).toEqual(['GetItem']);
});
