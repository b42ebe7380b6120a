import { decodeJwt, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { endSessions } from '#lib/account/reset-stamp';
import { authenticator } from '#lib/auth/authenticate';
import { FOREVER } from '#lib/item/account';
import { REFUSED } from '#lib/oauth/exchange';
import { sessionsOf } from '#lib/table/keys';
import { query } from '#lib/table/read';
import { NOON } from '../support/engine.ts';
import { uuidOf } from '../support/items.ts';
import { setAttributes } from '../support/set-attributes.ts';
import { AUDIENCE, GRANT_CAUSES, ISSUER, issuerKey, openOAuth, TRUST } from './bench.ts';

const other = await issuerKey('RS256', 'rsa-of-other');
const ec = await issuerKey('ES384', 'ec');
const { table, wire, runtime, clock, rsa, machine, claims, tokenOf, exchange, assertion, operations } =
  await openOAuth([
    { name: 'other', issuer: `${ISSUER}/`, jwks: { keys: [other.jwk, ec.jwk] } },
    { name: 'silent', issuer: 'https://silent.invalid' },
    { name: 'named', issuer: `${ISSUER}/named`, audience: 'core', jwks: { keys: [other.jwk] } },
  ]);

const callerOf = async (value: string) =>
  authenticator(runtime, 0)({ kind: 'jwt', value, address: undefined });
const seen = new Set<unknown>();
/** What is refused, as its answer says and as only the log says. */
const refusalOf = async (asked: Promise<unknown>) => {
  const { error, cause } = (await asked.then(
    () => ({ error: 'none' }),
    (failure) => failure,
  )) as { error: string; cause?: string };
  seen.add(cause);
  return { error, cause };
};

test('a token that a trust accepts opens a session of the machine, as narrow as the trust', async () => {
  const { account, name } = await machine({
    trust_roles: ['reads'],
    access: 'read',
    addresses: ['192.0.2.0/24'],
  });
  const { data, login } = await exchange(name, await tokenOf());
  expect(data).toEqual({
    access_token: expect.any(String),
    issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    token_type: 'Bearer',
    expires_in: 15 * 60,
    scope: 'reads',
    requestID: 'request-1',
  });
  expect(login).toEqual({
    credential: `trust:${TRUST}`,
    session: expect.any(String),
    username: account.username,
  });
  const limits = { access: 'read', roles: ['reads'], addresses: ['192.0.2.0/24'] };
  expect(decodeJwt(data.access_token)).toMatchObject({
    sub: account.id,
    fid: uuidOf(7),
    amr: ['fed'],
    limits,
  });
  expect(await callerOf(data.access_token)).toMatchObject({ caller: { username: account.username }, limits });
  const [record] = await query(table, sessionsOf(account.username));
  expect(record).toMatchObject({
    credential: `trust:${TRUST}`,
    trust: uuidOf(7),
    limits,
    ttl: NOON / 1000 + 900,
  });
});

test('an assertion opens a session, too, without a type of the issued token', async () => {
  const { name } = await machine();
  const { data } = await assertion(name, await tokenOf());
  expect(data).toMatchObject({ token_type: 'Bearer', scope: 'deploys reads' });
  expect(data).not.toHaveProperty('issued_token_type');
});

test('an exchange reads once and writes once', async () => {
  const { name } = await machine();
  const token = await tokenOf();
  wire.reset();
  await exchange(name, token);
  // The transaction records the first use of the machine, beside the session.
  expect(operations().sort()).toEqual(['BatchGetItem', 'TransactWriteItems', 'UpdateItem']);
});

describe('a session of a trust ends at the next request after', () => {
  test.each([
    ['its trust is deleted', { trusts: {} }, 'trust_removed'],
    ['its trust is made anew under its name', { trusts: { [TRUST]: uuidOf(8) } }, 'trust_removed'],
    ['the tokens of its account are revoked', { token_generation: 1 }, 'token_revoked'],
    ['its account is locked', { lockoutend: FOREVER, lock_reason: '' }, 'account_locked'],
    ['its account is cancelled', { isactive: false }, 'account_cancelled'],
  ])('%s', async (_, attributes, cause) => {
    const { account, name } = await machine();
    const { data } = await exchange(name, await tokenOf());
    await setAttributes(table, account, attributes);
    await expect(callerOf(data.access_token)).rejects.toMatchObject({ code: 'unauthenticated', cause });
  });

  test('all sessions of its account have ended', async () => {
    const { account, name } = await machine();
    const { data } = await exchange(name, await tokenOf());
    await endSessions(runtime, account);
    await expect(callerOf(data.access_token)).rejects.toMatchObject({ cause: 'stamp_changed' });
  });

  test('its minutes', async () => {
    const { name } = await machine({ max_minutes: 1 });
    const { data } = await exchange(name, await tokenOf());
    clock.time = NOON + 66_000;
    await expect(callerOf(data.access_token)).rejects.toMatchObject({ cause: 'session_expired' });
  });
});

test('after a revocation of all tokens, a new token of the issuer opens a session that works', async () => {
  const { account, name } = await machine();
  await setAttributes(table, account, { token_generation: 3 });
  const { data } = await exchange(name, await tokenOf());
  expect(await callerOf(data.access_token)).toMatchObject({ caller: { username: account.username } });
});

describe('scope', () => {
  test('narrows the session', async () => {
    const { name } = await machine();
    const { data } = await exchange(name, await tokenOf(), { scope: 'reads' });
    expect(data.scope).toBe('reads');
    expect(await callerOf(data.access_token)).toMatchObject({ limits: { roles: ['reads'] } });
  });

  test('is refused with a role that the trust has not', async () => {
    const { name } = await machine({ trust_roles: ['reads'] });
    expect(await refusalOf(exchange(name, await tokenOf(), { scope: 'deploys' }))).toMatchObject({
      error: 'invalid_scope',
    });
  });
});

const SKEWS = [
  ['expired 50 s ago', { exp: -50 }, undefined],
  ['expired 70 s ago', { exp: -70 }, 'grant_expired'],
  ['was issued in 50 s', { iat: 50 }, undefined],
  ['was issued in 70 s', { iat: 70 }, 'grant_not_begun'],
  ['is valid in 70 s', { nbf: 70 }, 'grant_not_begun'],
  ['lives a day', { exp: 86_400 }, undefined],
  ['lives a day and a second', { exp: 86_401 }, 'grant_too_long'],
] as const;

test.each(SKEWS)('a token that %s: %j -> %s', async (_, times, cause) => {
  const { name } = await machine();
  const at = Object.fromEntries(
    Object.entries(times).map(([claim, s]) => [claim, NOON / 1000 + (s as number)]),
  );
  const asked = exchange(name, await tokenOf(at));
  expect(await refusalOf(asked)).toEqual(
    cause ? { error: 'invalid_request', cause } : { error: 'none', cause: undefined },
  );
});

describe('a token is refused, by the same answer, that', () => {
  const forged = (header: object, key = rsa, more = {}) => tokenOf(more, key, header);
  const byPublicKey = () =>
    new SignJWT(claims())
      .setProtectedHeader({ alg: 'HS256', kid: rsa.kid })
      .sign(Buffer.from(JSON.stringify(rsa.jwk)));
  const foreign = (header: object) => tokenOf({}, { ...other, kid: 'rsa' }, header);

  test.each<[string, () => Promise<string> | string, string]>([
    ['is no token', () => 'a.b.c', 'malformed_grant'],
    ['is not signed', () => new UnsecuredJWT(claims()).encode(), 'malformed_grant'],
    ['is signed with the public key as a secret', byPublicKey, 'malformed_grant'],
    ['another key has signed, under the ID of a good one', () => foreign({}), 'bad_signature'],
    ['brings its key', () => foreign({ jwk: other.jwk }), 'bad_signature'],
    ['says where its key is', () => foreign({ jku: 'https://evil.example.com/keys' }), 'bad_signature'],
    [
      'says where its certificate is',
      () => foreign({ x5u: 'https://evil.example.com/cert' }),
      'bad_signature',
    ],
    ['names a key of another issuer', () => tokenOf({}, other), 'unknown_key'],
    ['names an unknown extension', () => forged({ crit: ['x'], x: 1 }), 'malformed_grant'],
    ['is for two audiences', () => tokenOf({ aud: [AUDIENCE, 'other'] }), 'wrong_audience'],
    ['is for no audience', () => tokenOf({ aud: [] }), 'wrong_audience'],
    ['has no audience', () => tokenOf({ aud: undefined }), 'wrong_audience'],
    ['is for an audience that differs by a slash', () => tokenOf({ aud: `${AUDIENCE}/` }), 'wrong_audience'],
    ['is of an issuer that nobody set', () => tokenOf({ iss: 'https://evil.example.com' }), 'unknown_issuer'],
    [
      'is of an issuer that differs by a slash',
      () => tokenOf({ iss: `${ISSUER}/` }, other),
      'unknown_issuer',
    ],
    ['is about another subject', () => tokenOf({ sub: 'job:main2' }), 'wrong_subject'],
    ['is about no subject', () => tokenOf({ sub: undefined }), 'wrong_subject'],
    ['lacks its end', () => tokenOf({ exp: undefined }), 'malformed_grant'],
    ['lacks its time', () => tokenOf({ iat: undefined }), 'malformed_grant'],
    ['has a time that is a text', () => tokenOf({ nbf: '1' as never }), 'malformed_grant'],
    ['is about a user of AWS', () => tokenOf({ subject_mode: 'OriginIdentity' }), 'wrong_subject'],
    [
      'is about a user of AWS, below its claim',
      () => tokenOf({ 'https://sts.amazonaws.com/': { subject_mode: 'OriginIdentity' } }),
      'wrong_subject',
    ],
  ])('%s', async (_, token, cause) => {
    const { account, name } = await machine();
    const text = await token();
    expect(await refusalOf(exchange(name, text))).toEqual({ error: 'invalid_request', cause });
    expect(await refusalOf(assertion(name, text))).toEqual({ error: 'invalid_grant', cause });
    await expect(assertion(name, text)).rejects.toMatchObject({ about: account.username });
    expect(await query(table, sessionsOf(account.username))).toEqual([]);
  });

  test('is accepted with a list of one audience', async () => {
    const { name } = await machine();
    expect(await refusalOf(exchange(name, await tokenOf({ aud: [AUDIENCE] })))).toMatchObject({
      error: 'none',
    });
  });

  test('is for the audience of this instance where its issuer has one of its own', async () => {
    const { name } = await machine({ trust_issuer: 'named' });
    const iss = `${ISSUER}/named`;
    const at = (aud: string) => tokenOf({ iss, aud }, other);
    expect(await refusalOf(exchange(name, await at(AUDIENCE)))).toMatchObject({ cause: 'wrong_audience' });
    expect(await refusalOf(exchange(name, await at('core')))).toMatchObject({ error: 'none' });
  });
});

describe('claims', () => {
  const wanted = {
    repository_id: '1',
    'kubernetes.io': { namespace: 'prod', pod: { uid: 'x' } },
    protected: true,
  };
  test.each([
    ['as they are', {}, undefined],
    ['with more beside them', { more: 1 }, undefined],
    ['with a number in place of a text', { repository_id: 1 }, 'wrong_claim'],
    ['with a text in place of a truth value', { protected: 'true' }, 'wrong_claim'],
    ['without one', { protected: undefined }, 'wrong_claim'],
    ['with a list in place of an object', { 'kubernetes.io': ['prod'] }, 'wrong_claim'],
    [
      'with another value below',
      { 'kubernetes.io': { namespace: 'test', pod: { uid: 'x' } } },
      'wrong_claim',
    ],
  ])('%s: %j -> %s', async (_, claim, cause) => {
    const { name } = await machine({ trust_claims: wanted });
    const { error, cause: found } = await refusalOf(exchange(name, await tokenOf({ ...wanted, ...claim })));
    expect([error, found]).toEqual(cause ? ['invalid_request', cause] : ['none', undefined]);
  });

  test('a claim of the prototype of objects is none', async () => {
    const { name } = await machine({ trust_claims: { toString: 'x' } });
    expect(await refusalOf(exchange(name, await tokenOf()))).toMatchObject({ cause: 'wrong_claim' });
  });
});

test.each([
  ['job:', 'job:main', true],
  ['job:', 'jobs:main', false],
  ['job:main:', 'job:main', false],
])('a subject that begins with %s accepts %s: %s', async (prefix, sub, accepts) => {
  const { name } = await machine({ trust_subject: `${prefix}*` });
  const { cause } = await refusalOf(exchange(name, await tokenOf({ sub })));
  expect(cause).toBe(accepts ? undefined : 'wrong_subject');
});

test('an unknown trust, machine and person get the same answer', async () => {
  const { name, account } = await machine();
  const person = await machine({}, { kind: undefined, owner: undefined });
  const stale = await machine({}, { trusts: { [TRUST]: uuidOf(9) } });
  const locked = await machine({}, { lockoutend: FOREVER, lock_reason: '' });
  const token = await tokenOf();
  const names = [
    `none@${account.username}`,
    `${TRUST}@nobody`,
    `${TRUST}@not a name`,
    `../x@${account.username}`,
    person.name,
    stale.name,
    locked.name,
  ];
  const answers = await Promise.all(
    names
      .flatMap((one) => [exchange(one, token), assertion(one, token)])
      .map((asked) =>
        asked.then(
          () => 'none',
          ({ error, description }) => `${error}: ${description}`,
        ),
      ),
  );
  expect(new Set(answers)).toEqual(new Set([`invalid_grant: ${REFUSED}`]));
  expect(await refusalOf(exchange(name, token))).toMatchObject({ error: 'none' });
});

test('a trust at another address is refused', async () => {
  const { name } = await machine({ addresses: ['198.51.100.0/24'] });
  expect(await refusalOf(exchange(name, await tokenOf()))).toMatchObject({ cause: 'wrong_address' });
});

describe('a token for one use', () => {
  const once = (jti?: unknown) => tokenOf({ iss: `${ISSUER}/once`, jti: jti as string });

  test('opens one session of twenty that are asked for at once', async () => {
    const { account, name } = await machine({ trust_issuer: 'once' });
    const token = await once('j1');
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => refusalOf(exchange(name, token))));
    expect(outcomes.filter(({ error }) => error === 'none')).toHaveLength(1);
    expect(outcomes.filter(({ cause }) => cause === 'grant_spent')).toHaveLength(19);
    expect(await query(table, sessionsOf(account.username))).toHaveLength(1);
  });

  test('stays unspent by a request that is refused', async () => {
    const { name } = await machine({ trust_issuer: 'once' });
    const token = await once('j2');
    expect(await refusalOf(exchange(name, token, { scope: 'strange' }))).toMatchObject({
      error: 'invalid_scope',
    });
    const elsewhere = await machine({ trust_issuer: 'once', trust_subject: 'job:other' });
    expect(await refusalOf(exchange(elsewhere.name, token))).toMatchObject({ cause: 'wrong_subject' });
    expect(await refusalOf(exchange(name, token))).toMatchObject({ error: 'none' });
  });

  test.each([undefined, '', 7])('is refused with the ID %s', async (jti) => {
    const { name } = await machine({ trust_issuer: 'once' });
    expect(await refusalOf(exchange(name, await once(jti)))).toMatchObject({ cause: 'malformed_grant' });
  });

  test('of another issuer may have the same ID', async () => {
    const [a, b] = [await machine({ trust_issuer: 'once' }), await machine()];
    expect(await refusalOf(exchange(a.name, await once('j3')))).toMatchObject({ error: 'none' });
    expect(await refusalOf(exchange(b.name, await tokenOf({ jti: 'j3' })))).toMatchObject({ error: 'none' });
  });
});

test('a token that may be used again opens as many sessions as are asked for', async () => {
  const { name } = await machine();
  const token = await tokenOf({ jti: 'again' });
  for (const _ of [1, 2]) expect(await refusalOf(exchange(name, token))).toMatchObject({ error: 'none' });
});

test('a name may have an @ in the machine, and a + that nothing has encoded', async () => {
  const { account } = await machine({}, { username: `ci+${NOON}.${process.pid}@example.com` });
  const name = `${TRUST}@${account.username}`;
  for (const given of [name, name.replaceAll('+', ' ')])
    expect(await refusalOf(exchange(given, await tokenOf()))).toMatchObject({ error: 'none' });
});

test('a token of an issuer without keys is refused', async () => {
  const { name } = await machine({ trust_issuer: 'silent' });
  const asked = exchange(name, await tokenOf({ iss: 'https://silent.invalid' }));
  expect(await refusalOf(asked)).toMatchObject({ cause: 'issuer_unreachable' });
});

test('each cause of a refused token has been seen', async () => {
  const { account } = await machine();
  expect(await refusalOf(exchange(`none@${account.username}`, 'x'))).toMatchObject({
    cause: 'unknown_trust',
  });
  expect(GRANT_CAUSES.filter((cause) => !seen.has(cause))).toEqual([]);
});
