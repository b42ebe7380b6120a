import { randomUUID } from 'node:crypto';
import {
  type CryptoKey,
  exportSPKI,
  generateKeyPair,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { Failure } from '#lib/failure';
import type { Runtime } from '#lib/runtime';
import { signSession, verifySession } from '#lib/session/session-token';

const NOW = Date.UTC(2026, 10, 20, 5, 30);
const SECONDS = NOW / 1000;
const LIFETIME = 3600;
const SESSION = { sub: 'b0a6d0c8-24f1-4b52-9b4f-8f6d8a2c7f10', name: 'Ada', sst: 'stamp-1' };

const runtime = (instanceName = 'one', now = NOW) =>
  ({ instanceName, now: () => now, uuid: randomUUID }) as unknown as Runtime;

let key: CryptoKey;
let otherKey: CryptoKey;
let publicKey: CryptoKey;
const publicKeys = async (kid: string) => (kid === 'key-1' ? publicKey : undefined);

beforeAll(async () => {
  ({ privateKey: key, publicKey } = await generateKeyPair('ES256', { extractable: true }));
  ({ privateKey: otherKey } = await generateKeyPair('ES256'));
});

const sign = () => signSession(runtime(), { kid: 'key-1', key }, SESSION, SECONDS, LIFETIME);

/** The claims of a token of this session, but for its id. */
const PUBLISHED = {
  iss: 'urn:core-account:one',
  aud: 'urn:core-account:one',
  ...SESSION,
  iat: SECONDS,
  nbf: SECONDS,
  exp: SECONDS + LIFETIME,
};

/** A token as the service signs it, but for what is told. */
const forge = (
  claims: JWTPayload = {},
  header: Partial<JWTHeaderParameters> = {},
  signer: CryptoKey | Uint8Array = key,
) =>
  new SignJWT({
    ...PUBLISHED,
    jti: 'jti-1',
    ...claims,
  })
    .setProtectedHeader({ alg: 'ES256', kid: 'key-1', typ: 'at+jwt', ...header })
    .sign(signer);

const verify = (token: string, at: Runtime = runtime()) => verifySession(at, token, publicKeys);
const refused = (token: string, at?: Runtime) =>
  expect(verify(token, at)).rejects.toSatisfy(
    (error) => error instanceof Failure && error.code === 'unauthenticated',
  );

const decoded = (token: string) =>
  token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>);

test('a session token that the service signed verifies', async () => {
  expect(await verify(await sign())).toMatchObject(SESSION);
});

test('the forgeries below differ from a good token in what they say, and in nothing else', async () => {
  expect(await verify(await forge())).toMatchObject(SESSION);
});

test('a session token has exactly the header and claims that are published', async () => {
  const [header, claims] = decoded(await sign());
  expect(header).toEqual({ alg: 'ES256', kid: 'key-1', typ: 'at+jwt' });
  expect(claims).toEqual({
    ...PUBLISHED,
    jti: expect.any(String),
  });
});

test('two tokens of one session have ids of their own', async () => {
  const ids = await Promise.all([sign(), sign()]).then((tokens) =>
    tokens.map((token) => decoded(token)[1]?.['jti']),
  );
  expect(new Set(ids).size).toBe(2);
});

describe('a token is refused', () => {
  test.each(['JWT', 'jwt', 'dpop+jwt', undefined])('with the type %s', async (typ) => {
    await refused(await forge({}, { typ }));
  });

  test.each(['key-2', '', undefined])('with the key id %s', async (kid) => {
    await refused(await forge({}, { kid }));
  });

  test.each(['iss', 'aud', 'sub', 'name', 'sst', 'iat', 'nbf', 'exp', 'jti'])('without %s', async (claim) => {
    await refused(await forge({ [claim]: undefined }));
  });

  test.each([
    ['another issuer', { iss: 'urn:core-account:two' }],
    ['another audience', { aud: 'urn:core-account:two' }],
    ['an audience in another case', { aud: 'URN:core-account:one' }],
    ['an expiry that is a text', { exp: String(SECONDS + LIFETIME) as unknown as number }],
    ['an issue in the future', { iat: SECONDS + 6 }],
    ['an issue longer ago than any session lives', { iat: SECONDS - 720 * 3600 - 6 }],
    ['a subject that is a number', { sub: 1 as unknown as string }],
    ['a name that is no text', { name: ['Ada'] }],
    ['a stamp that is no text', { sst: null }],
    ['an id that is no text', { jti: {} as string }],
  ])('with %s', async (_name, claims) => {
    await refused(await forge(claims));
  });

  test('by another instance', async () => {
    await refused(await sign(), runtime('two'));
  });

  test('with the signature of another key', async () => {
    await refused(await forge({}, {}, otherKey));
  });

  test('without a signature, whatever its algorithm says', async () => {
    const [, claims] = (await sign()).split('.');
    for (const alg of ['none', 'None', 'ES256']) {
      const header = Buffer.from(JSON.stringify({ alg, kid: 'key-1', typ: 'at+jwt' })).toString('base64url');
      await refused(`${header}.${claims}.`);
      await refused(`${header}.${claims}.AA`);
    }
  });

  test('with an HMAC under the public key', async () => {
    const secret = new TextEncoder().encode(await exportSPKI(publicKey));
    await refused(await forge({}, { alg: 'HS256' }, secret));
  });

  test('with any other last character of the signature, even one that decodes alike', async () => {
    const token = await sign();
    for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')
      if (!token.endsWith(character)) await refused(token.slice(0, -1) + character);
  });

  test('with a claim changed after signing', async () => {
    const [header, claims = '', signature] = (await sign()).split('.');
    const changed = Buffer.from(claims, 'base64url').toString().replace('"Ada"', '"Eve"');
    await refused(`${header}.${Buffer.from(changed).toString('base64url')}.${signature}`);
  });

  test.each(['', 'a', 'a.b', 'a.b.c', '..', 'e30.e30.e30', `${'a'.repeat(10_000)}.b.c`])(
    'as %s',
    async (text) => {
      await refused(text);
    },
  );
});

describe('clocks may differ by 5 s', () => {
  const later = (seconds: number) => runtime('one', NOW + seconds * 1000);

  test('after the end', async () => {
    const token = await sign();
    expect(await verify(token, later(LIFETIME + 4))).toMatchObject(SESSION);
    await refused(token, later(LIFETIME + 5));
  });

  test('before the beginning', async () => {
    const token = await sign();
    expect(await verify(token, later(-5))).toMatchObject(SESSION);
    await refused(token, later(-6));
  });
});

test('a token that names no key looks none up', async () => {
  const asked: string[] = [];
  const token = await forge({}, { kid: undefined });
  const verified = verifySession(runtime(), token, async (kid) => {
    asked.push(kid);
    return publicKey;
  });
  await expect(verified).rejects.toMatchObject({ code: 'unauthenticated' });
  expect(asked).toEqual([]);
});

test('a table out of reach is no reason to call a token invalid', async () => {
  const outage = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  await expect(verifySession(runtime(), await sign(), () => Promise.reject(outage))).rejects.toBe(outage);
});
