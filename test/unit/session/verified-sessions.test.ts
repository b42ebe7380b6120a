import { randomUUID } from 'node:crypto';
import { type CryptoKey, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { Failure } from '#lib/failure';
import type { Runtime } from '#lib/runtime';
import { verifySession } from '#lib/session/session-token';
import { sessionVerifier } from '#lib/session/verified-sessions';

const SECONDS = Date.UTC(2026, 10, 20, 5, 30) / 1000;
const LIFETIME = 3600;
const LONGEST = 720 * 3600;

let seconds = SECONDS;
const runtime = { instanceName: 'one', now: () => seconds * 1000, uuid: randomUUID } as unknown as Runtime;

const signatures = vi.spyOn(crypto.subtle, 'verify');
afterAll(() => signatures.mockRestore());

let signer: CryptoKey;
let otherSigner: CryptoKey;
let key: CryptoKey;
let otherKey: CryptoKey;
beforeAll(async () => {
  ({ privateKey: signer, publicKey: key } = await generateKeyPair('ES256'));
  ({ privateKey: otherSigner, publicKey: otherKey } = await generateKeyPair('ES256'));
});

/** The public keys that are held now, by their ids. */
let held: Record<string, CryptoKey>;
let verify: ReturnType<typeof sessionVerifier>;
beforeEach(() => {
  seconds = SECONDS;
  held = { 'key-1': key };
  verify = sessionVerifier(runtime, async (kid) => held[kid]);
});

const sign = (claims: JWTPayload = {}, by = signer) =>
  new SignJWT({
    iss: 'urn:core-account:one',
    aud: 'urn:core-account:one',
    sub: 'id',
    name: 'Ada',
    sst: 'stamp',
    iat: SECONDS,
    nbf: SECONDS,
    exp: SECONDS + LIFETIME,
    jti: randomUUID(),
    ...claims,
  })
    .setProtectedHeader({ alg: 'ES256', kid: 'key-1', typ: 'at+jwt' })
    .sign(by);

const isUnauthenticated = (error: unknown) => error instanceof Failure && error.code === 'unauthenticated';
const refused = (token: string) => expect(verify(token)).rejects.toSatisfy(isUnauthenticated);

/** How many signatures are verified meanwhile. */
async function verifications(work: () => Promise<unknown>) {
  const before = signatures.mock.calls.length;
  await work();
  return signatures.mock.calls.length - before;
}

test('a signature is verified once, and the session is the same', async () => {
  const token = await sign();
  const first = await verify(token);
  expect(first).toMatchObject({ sub: 'id', name: 'Ada', sst: 'stamp', kid: 'key-1' });
  expect(await verifications(async () => expect(await verify(token)).toEqual(first))).toBe(0);
  expect(await verifications(() => sessionVerifier(runtime, async () => key)(token))).toBe(1);
});

describe('a token that was seen before', () => {
  let token: string;
  beforeEach(async () => {
    token = await sign();
    await verify(token);
  });

  test('lends nothing to one of the same claims with another signature', async () => {
    const [header, claims, signature = ''] = token.split('.');
    const body = `${header}.${claims}`;
    const foreign = (await sign({}, otherSigner)).split('.')[2];
    const flipped = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    for (const forged of [foreign, flipped, signature.slice(0, -1), `${signature}A`, ''])
      await refused(`${body}.${forged}`);
  });

  test('lends its signature to no other claims', async () => {
    const [header, claims = '', signature] = token.split('.');
    const changed = Buffer.from(claims, 'base64url').toString().replace('"Ada"', '"Eve"');
    await refused(`${header}.${Buffer.from(changed).toString('base64url')}.${signature}`);
  });

  test('is refused once its key is not held any more, and good once it is again', async () => {
    held = { 'key-2': key };
    await refused(token);
    held = { 'key-1': key };
    await verify(token);
  });

  test('is refused once another key has its id', async () => {
    held = { 'key-1': otherKey };
    await refused(token);
    await refused(token);
  });

  test('is no reason to call it invalid where its key cannot be looked up', async () => {
    const outage = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    let isOut = false;
    const checked = sessionVerifier(runtime, async () => {
      if (isOut) throw outage;
      return key;
    });
    await checked(token);
    isOut = true;
    await expect(checked(token)).rejects.toBe(outage);
  });

  test('is not good for another instance', async () => {
    const other = sessionVerifier({ ...runtime, instanceName: 'two' }, async () => key);
    await expect(other(token)).rejects.toSatisfy(isUnauthenticated);
  });
});

test.each<[string, JWTPayload, lastSecond: number]>([
  ['at its expiry', {}, SECONDS + LIFETIME + 4],
  ['at an expiry that is a fraction', { exp: SECONDS + 0.5 }, SECONDS + 5],
  ['at the age that no session has', { exp: SECONDS + 2 * LONGEST }, SECONDS + LONGEST + 5],
])(
  'a token that was seen before is refused %s, five seconds for clocks added',
  async (_name, claims, last) => {
    const token = await sign(claims);
    await verify(token);
    seconds = last;
    expect(await verifications(() => verify(token))).toBe(0);
    seconds = last + 1;
    await refused(token);
  },
);

test.each<[string, JWTPayload]>([
  ['a token of now', {}],
  ['one that begins later', { nbf: SECONDS + 100 }],
  ['one that was issued later', { iat: SECONDS + 100, nbf: SECONDS }],
  ['one that ends at once', { exp: SECONDS + 1 }],
])('whenever it is asked, %s is judged as if it had never been seen', async (_name, claims) => {
  const token = await sign(claims);
  const times = [-6, -5, 0, 1, 5, 6, 94, 95, 100].map((later) => SECONDS + later);
  const verdictsOf = async (judge: typeof verify) => {
    const verdicts: boolean[] = [];
    for (seconds of times)
      verdicts.push(
        await judge(token).then(
          () => true,
          () => false,
        ),
      );
    return verdicts;
  };
  const byJose = await verdictsOf((each) => verifySession(runtime, each, async () => key));
  seconds = times[byJose.indexOf(true)] as number;
  await verify(token);
  expect(await verdictsOf(verify)).toEqual(byJose);
  expect(new Set(byJose), 'a time of each kind').toEqual(new Set([true, false]));
});

test('a thousand sessions are remembered: those that were seen last', async () => {
  const tokens = await Promise.all(Array.from({ length: 1001 }, () => sign()));
  const [first = '', second = '', ...others] = tokens;
  for (const token of [first, second, ...others.slice(0, -1)]) await verify(token);
  await verify(first);
  await verify(others.at(-1) as string);
  expect(await verifications(() => verify(first))).toBe(0);
  expect(await verifications(() => verify(second)), 'the one seen longest ago').toBe(1);
});

test('a token that does not verify takes no place', async () => {
  const token = await sign();
  await verify(token);
  const forged = await sign({}, otherSigner);
  for (let n = 0; n < 1000; n++) await refused(`${forged.slice(0, -6)}${String(n).padStart(4, '0')}AA`);
  expect(await verifications(() => verify(token))).toBe(0);
});
