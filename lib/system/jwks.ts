import { Answer } from '../contract/answer.ts';
import type { PublicKeyItem } from '../item/instance.ts';
import type { Runtime } from '../runtime.ts';
import { readPublicKeys } from '../session/public-keys.ts';

/** The public members of an elliptic-curve signing key (RFC 7517, RFC 7518 section 6.2.1). */
const published = ({ x = '', y = '', kid }: PublicKeyItem['jwk']) => ({
  kty: 'EC' as const,
  crv: 'P-256' as const,
  x,
  y,
  kid,
  alg: 'ES256' as const,
  use: 'sig' as const,
});

/**
 * The JWK Set of every key that verifies now: the current key, the next one, and retired keys with unexpired tokens.
 * An empty set is not cacheable, since the first key signs as soon as it is published.
 */
export async function publicKeySet({ table, now }: Pick<Runtime, 'table' | 'now'>) {
  const keys = (await readPublicKeys(table, now())).map(({ jwk }) => published(jwk));
  return new Answer({ keys }, keys.length > 0 ? {} : { headers: { 'cache-control': 'no-store' } });
}
