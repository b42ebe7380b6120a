import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { MAX_ENTRIES } from '#lib/session/bounded-map';
import {
  CLOCK_SKEW_SECONDS,
  MAX_AGE_SECONDS,
  type PublicKey,
  verifySession,
} from '#lib/session/session-token';
import { sessionVerifier } from '#lib/session/verified-sessions';
import { NOON } from '../support/engine.ts';
import { claimsAt, ecdsa, forgeOf, newPair } from './forge.ts';

const SECONDS = NOON / 1000;
const CLAIMS = claimsAt(SECONDS, 'one');
const { privateKey, publicKey } = newPair();
const other = newPair();
const mint = forgeOf({ alg: 'ES256', kid: 'key-1', typ: 'at+jwt' }, CLAIMS, privateKey);
const claiming = (claims: Readonly<Record<string, unknown>>) => mint({ claims });

let seconds = SECONDS;
const runtime = { instanceName: 'one', now: () => seconds * 1000 };

const signatures = vi.spyOn(crypto.subtle, 'verify');
afterAll(() => signatures.mockRestore());

/** The cached public keys, by their IDs. */
let held: Record<string, PublicKey>;
let verify: ReturnType<typeof sessionVerifier>;
beforeEach(() => {
  seconds = SECONDS;
  held = { 'key-1': publicKey };
  verify = sessionVerifier(runtime, async (kid) => held[kid]);
});

const refused = (token: string, by = verify) =>
  expect(by(token)).rejects.toMatchObject({ code: 'unauthenticated' });

/** Number of signatures that are verified meanwhile. */
async function verifications(work: () => Promise<unknown>) {
  const before = signatures.mock.calls.length;
  await work();
  return signatures.mock.calls.length - before;
}

test('sessionVerifier verifies a signature once, and returns the same session again', async () => {
  const token = mint();
  const first = await verify(token);
  expect(first).toMatchObject({ sub: CLAIMS.sub, name: CLAIMS.name, sst: CLAIMS.sst, kid: 'key-1' });
  expect(await verifications(async () => expect(await verify(token)).toEqual(first))).toBe(0);
  expect(await verifications(() => sessionVerifier(runtime, async () => publicKey)(token))).toBe(1);
});

describe('a known token', () => {
  const token = mint();
  const [header, claims, signature = ''] = token.split('.');
  beforeEach(() => verify(token));

  test('proves no other signature and no other claims', async () => {
    const foreign = mint({ sign: ecdsa(other.privateKey) }).split('.')[2];
    const flipped = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    for (const forged of [foreign, flipped, signature.slice(0, -1), `${signature}A`, ''])
      await refused(`${header}.${claims}.${forged}`);
    await refused(`${header}.${claiming({ name: 'Eve' }).split('.')[1]}.${signature}`);
  });

  test('is refused while its key is not held or another key has its ID', async () => {
    for (const [kid, key] of [['key-2', publicKey] as const, ['key-1', other.publicKey] as const]) {
      held = { [kid]: key };
      await refused(token);
      await refused(token);
      held = { 'key-1': publicKey };
      await verify(token);
    }
  });
});

test.each<[string, Readonly<Record<string, unknown>>, edge: number]>([
  ['of now', {}, 3600],
  ['that begins later', { nbf: SECONDS + 100 }, 100],
  ['that was issued later', { iat: SECONDS + 100 }, 100],
  ['that ends within a second', { exp: SECONDS + 0.5 }, 0],
  ['that outlives the longest session', { exp: SECONDS + 2 * MAX_AGE_SECONDS }, MAX_AGE_SECONDS],
])('a known token %s is judged like an unknown one at any time', async (_name, changes, edge) => {
  const token = claiming(changes);
  const skew = CLOCK_SKEW_SECONDS;
  const times = [0, edge].flatMap((at) =>
    [-skew - 1, -skew, -1, 0, 1, skew, skew + 1].map((by) => SECONDS + at + by),
  );
  const verdictsOf = async (judge: typeof verify) => {
    const verdicts: boolean[] = [];
    for (seconds of times)
      verdicts.push((await Promise.allSettled([judge(token)]))[0].status === 'fulfilled');
    return verdicts;
  };
  const expected = await verdictsOf((each) => verifySession(runtime, each, async () => publicKey));
  seconds = times[expected.indexOf(true)] as number;
  await verify(token);
  expect(await verdictsOf(verify)).toEqual(expected);
  expect(new Set(expected), 'a time of each kind').toEqual(new Set([true, false]));
});

test('sessionVerifier remembers the thousand sessions that were presented last', async () => {
  expect(MAX_ENTRIES).toBe(1000);
  const tokens = Array.from({ length: MAX_ENTRIES + 1 }, (_, n) => claiming({ jti: `jti-${n}` }));
  const [first = '', second = ''] = tokens;
  for (const token of tokens.slice(0, -1)) await verify(token);
  await verify(first);
  await verify(tokens.at(-1) as string);
  expect(await verifications(() => verify(first))).toBe(0);
  expect(await verifications(() => verify(second)), 'the one presented longest ago').toBe(1);
});

test('sessionVerifier remembers no token that it refuses', async () => {
  const token = mint();
  await verify(token);
  const forged = mint({ sign: ecdsa(other.privateKey) });
  for (let n = 0; n < MAX_ENTRIES; n++)
    await refused(`${forged.slice(0, -6)}${String(n).padStart(4, '0')}AA`);
  expect(await verifications(() => verify(token))).toBe(0);
});
