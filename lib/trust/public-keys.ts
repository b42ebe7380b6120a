import { createPublicKey, type JsonWebKey } from 'node:crypto';
import type { JWK } from 'jose';

/** Algorithms of signatures that are accepted. */
export const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'] as const;

/** Members of a private or a symmetric key (RFC 7518 section 6). */
const SECRET = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/** Members that a verification uses. Certificates would take most of the space. */
const USED = ['kty', 'kid', 'use', 'alg', 'crv', 'x', 'y', 'n', 'e'] as const;

const MIN_RSA_BITS = 2048;

const CURVES: Readonly<Record<string, string>> = { ES256: 'P-256', ES384: 'P-384', EdDSA: 'Ed25519' };

/** Algorithms of a kind of key. */
const algorithmsOf = ({ kty, crv }: JWK): readonly string[] =>
  kty === 'RSA' ? ['RS256', 'PS256'] : ALGORITHMS.filter((alg) => crv !== undefined && CURVES[alg] === crv);

/** Why a key verifies no signature of a token; undefined for a usable one. */
export function faultOfKey(key: unknown): string | undefined {
  if (typeof key !== 'object' || key === null || Array.isArray(key)) return 'Must be an object';
  const jwk = key as JWK;
  const secret = SECRET.filter((member) => member in jwk);
  if (jwk.kty === 'oct' || secret.length > 0) return 'Must be a public key: this one is a secret';
  const wrong = (['kid', 'alg', 'use'] as const).filter(
    (name) => !['undefined', 'string'].includes(typeof jwk[name]),
  );
  if (wrong.length > 0) return `Must have texts as ${wrong.join(' and ')}`;
  if ((jwk.use ?? 'sig') !== 'sig') return 'Must be a key for signatures, with `use` "sig" or without `use`';
  const algorithms = algorithmsOf(jwk);
  if (algorithms.length === 0) return 'Must be a key of RSA, P-256, P-384 or Ed25519';
  if (!algorithms.includes(jwk.alg ?? (algorithms[0] as string)))
    return `Must have \`alg\` ${algorithms.join(' or ')}, or none`;
  return faultOfNumbers(jwk);
}

function faultOfNumbers(jwk: JWK): string | undefined {
  try {
    const { asymmetricKeyDetails } = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
    const { modulusLength = MIN_RSA_BITS, publicExponent = 3n } = asymmetricKeyDetails ?? {};
    if (modulusLength < MIN_RSA_BITS) return `Must have at least ${MIN_RSA_BITS} bits`;
    // With 1, everything is its own signature.
    return publicExponent < 3n ? 'Must have an exponent of at least 3' : undefined;
  } catch {
    return 'Must have the numbers of a key';
  }
}

/** A key without members that no verification uses. */
export const reduced = (key: JWK): JWK =>
  Object.fromEntries(USED.flatMap((name) => (key[name] === undefined ? [] : [[name, key[name]]]))) as JWK;
