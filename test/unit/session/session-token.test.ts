import { createHmac, createPublicKey } from 'node:crypto';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { Failure } from '#lib/failure/failure';
import { MAX_EXPIRE_HOURS } from '#lib/instance/settings';
import { CLOCK_SKEW_SECONDS, MAX_AGE_SECONDS, signSession, verifySession } from '#lib/session/session-token';
import { NOON } from '../support/engine.ts';
import { claimsAt, ecdsa, forgeOf, newPair } from './forge.ts';

const SECONDS = NOON / 1000;
const HEADER = { alg: 'ES256', kid: 'key-1', typ: 'at+jwt' };
const CLAIMS = claimsAt(SECONDS, 'one');
const { sub, name, sst } = CLAIMS;
const SESSION = { sub, name, sst };

const { privateKey, publicKey } = newPair();
const stranger = newPair();
const mint = forgeOf(HEADER, CLAIMS, privateKey);

let ids = 0;
const runtime = (instanceName = 'one', now = NOON) => ({
  instanceName,
  now: () => now,
  uuid: () => `jti-${++ids}`,
});
const find = async (kid: string) => (kid === HEADER.kid ? publicKey : undefined);

/** `valid`, or the code of the failure. */
const verdictOf = (token: string, at = runtime()) =>
  verifySession(at, token, find).then(
    () => 'valid',
    (error: unknown) => (error instanceof Failure ? error.code : Promise.reject(error)),
  );

const issue = () => signSession(runtime(), { kid: HEADER.kid, key: privateKey }, SESSION, SECONDS, 3600);

test('signSession signs exactly the published header and claims, with a new id each time', async () => {
  const [one, two] = [await issue(), await issue()];
  const parts = (token: string) =>
    token.split('.', 2).map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
  expect(parts(one)).toEqual([HEADER, { ...CLAIMS, client_id: CLAIMS.aud, jti: `jti-${ids - 1}` }]);
  expect(parts(two)).toEqual([HEADER, { ...CLAIMS, client_id: CLAIMS.aud, jti: `jti-${ids}` }]);
});

test('verifySession returns the session, its times and its key', async () => {
  const { iat, nbf, exp } = CLAIMS;
  const session = { ...SESSION, iat, nbf, exp, kid: HEADER.kid, key: publicKey };
  const verified = await verifySession(runtime(), await issue(), find);
  expect(verified).toEqual({ ...session, jti: `jti-${ids}` });
  expect(await verdictOf(await issue(), runtime('two'))).toBe('unauthenticated');
});

const VALID: Readonly<Record<string, unknown>> = { ...HEADER, ...CLAIMS };

/** The published rules of a session token, as a model: of the members of its header and its claims. */
function isValid(members: typeof VALID): boolean {
  const { alg, kid, typ, crit, iss, aud, iat, nbf, exp } = members;
  const hasTexts = ['sub', 'name', 'sst', 'jti'].every((claim) => typeof members[claim] === 'string');
  if (typeof iat !== 'number' || typeof nbf !== 'number' || typeof exp !== 'number') return false;
  const age = SECONDS - iat;
  return (
    alg === 'ES256' &&
    kid === 'key-1' &&
    /^(application\/)?at\+jwt$/i.test(typeof typ === 'string' ? typ : '') &&
    crit === undefined &&
    iss === CLAIMS.iss &&
    (Array.isArray(aud) ? aud : [aud]).includes(CLAIMS.aud) &&
    hasTexts &&
    nbf <= SECONDS + 5 &&
    exp > SECONDS - 5 &&
    age >= -5 &&
    age <= MAX_AGE_SECONDS + 5
  );
}

/** Any value of JSON, and those that a careless reader treats as the right one. */
const valueLike = (right: unknown) => {
  const text = String(right);
  const near = [` ${text}`, `${text}\0`, text.toUpperCase(), text.slice(0, -1), [right], [[right]]];
  const others = [undefined, null, '', 0, -1, '*', 'none', 'HS256', `application/${text}`];
  const edges = [0, -MAX_AGE_SECONDS].flatMap((from) => [-6, -5, 4.5, 5, 6].map((by) => SECONDS + from + by));
  return fc.oneof(fc.constantFrom(...near, ...others, ...edges), fc.jsonValue({ maxDepth: 2 }));
};

/** A member of the header or of the claims changed before the key signs. */
const changedMember = fc
  .constantFrom(
    ...['alg', 'kid', 'typ', 'crit'].map((member) => ['header', member] as const),
    ...Object.keys(CLAIMS).map((member) => ['claims', member] as const),
  )
  .chain(([part, member]) =>
    valueLike(VALID[member]).map((value) => ({
      token: mint({ [part]: { [member]: value } }),
      expected: isValid({ ...VALID, [member]: value }),
    })),
  );
/** Any other text of JSON as a whole part, signed by the key. */
const changedPart = fc
  .tuple(fc.constantFrom('header', 'claims'), fc.json({ maxDepth: 2 }))
  .map(([part, text]) => ({ token: mint({ [part]: text }), expected: false }));
/** Any signature without the key. */
const changedSignature = fc
  .uint8Array({ maxLength: 130 })
  .map((bytes) => ({ token: mint({ sign: () => bytes }), expected: false }));
/** A valid token, edited anywhere after it was signed. */
const editedText = fc
  .record({ at: fc.nat(600), removed: fc.nat(3), inserted: fc.string({ maxLength: 3, unit: 'binary' }) })
  .map(({ at, removed, inserted }) => {
    const token = mint();
    const edited = token.slice(0, at) + inserted + token.slice(at + removed);
    return { token: edited, expected: edited === token };
  });

test('verifySession accepts a token exactly when it is as the service signs it (RFC 7515, 7519, 8725, 9068)', async () => {
  const rare = [changedPart, changedSignature, editedText];
  const forgery = fc.oneof({ arbitrary: changedMember, weight: 6 }, ...rare);
  await fc.assert(
    fc.asyncProperty(forgery, async ({ token, expected }) => {
      expect(await verdictOf(token)).toBe(expected ? 'valid' : 'unauthenticated');
    }),
    { numRuns: 1000 },
  );
});

const der = (input: string) => {
  const raw = ecdsa(privateKey)(input);
  return Buffer.concat([Buffer.of(0x30, 68, 2, 32), raw.subarray(0, 32), Buffer.of(2, 32), raw.subarray(32)]);
};
const pem = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }) as string;
const hmac = (secret: string) => (input: string) => createHmac('sha256', secret).update(input).digest();
const byStranger = (header: object) => mint({ header: { ...header }, sign: ecdsa(stranger.privateKey) });

test.each<[string, string]>([
  ['algorithm none', mint({ header: { alg: 'none' }, sign: () => '' })],
  ['an HMAC keyed with the public key as PEM', mint({ header: { alg: 'HS256' }, sign: hmac(pem) })],
  ['the key of a stranger', byStranger({})],
  ['the key of a stranger in the header', byStranger({ jwk: stranger.publicKey })],
  ['an address of keys in the header', byStranger({ jku: 'https://evil.example/jwks.json' })],
  ['zeros for r and s (CVE-2022-21449)', mint({ sign: () => Buffer.alloc(64) })],
  ['a signature in DER', mint({ sign: der })],
  ['an unencoded payload', mint({ header: { b64: false, crit: ['b64'] } })],
  ['claims under a prototype', mint({ claims: `{"__proto__":${JSON.stringify(CLAIMS)}}` })],
])('verifySession refuses a token with %s', async (_name, token) => {
  expect(await verdictOf(token)).toBe('unauthenticated');
});

test('verifySession refuses every other last character of a signature, even those that decode alike', async () => {
  const token = mint();
  for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')
    expect(await verdictOf(token.slice(0, -1) + character)).toBe(
      token.endsWith(character) ? 'valid' : 'unauthenticated',
    );
});

test('verifySession tolerates clocks that differ by five seconds, and sessions as long as one can be set', async () => {
  expect([CLOCK_SKEW_SECONDS, MAX_AGE_SECONDS]).toEqual([5, MAX_EXPIRE_HOURS * 3600]);
  const at = (seconds: number) => verdictOf(mint(), runtime('one', NOON + seconds * 1000));
  expect([await at(-6), await at(-5)]).toEqual(['unauthenticated', 'valid']);
  expect([await at(3604), await at(3605)]).toEqual(['valid', 'unauthenticated']);
});

test('verifySession looks up no key when a token names none, and rethrows an outage of the table', async () => {
  const outage = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  const failing = vi.fn(() => Promise.reject(outage));
  const unnamed = mint({ header: { kid: undefined } });
  const unauthenticated = { code: 'unauthenticated' };
  await expect(verifySession(runtime(), unnamed, failing)).rejects.toMatchObject(unauthenticated);
  expect(failing).not.toHaveBeenCalled();
  await expect(verifySession(runtime(), mint(), failing)).rejects.toBe(outage);
});
