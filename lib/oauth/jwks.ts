import { Answer } from '../contract/answer.ts';
import type { PublicKeyItem } from '../item/instance.ts';
import { RESOURCE_KEYS } from '../resource/key-use.ts';
import type { Runtime } from '../runtime.ts';
import { readPublicKeys } from '../session/public-keys.ts';

/** The public members of an RSA key (RFC 7517, RFC 7518 section 6.3.1). */
const published = ({ n = '', e = '', kid }: PublicKeyItem['jwk']) => ({
  kty: 'RSA' as const,
  n,
  e,
  kid,
  alg: 'RS256' as const,
  use: 'sig' as const,
});

/**
 * The JWK Set of every key that verifies now: the one that signs, its successor, and retired ones with unexpired tokens.
 * An empty set is not cacheable, since the first key signs as soon as it is published.
 */
export async function resourceKeySet({ table, now }: Pick<Runtime, 'table' | 'now'>) {
  const keys = (await readPublicKeys(table, now(), RESOURCE_KEYS)).map(({ jwk }) => published(jwk));
  return new Answer({ keys }, keys.length > 0 ? {} : { headers: { 'cache-control': 'no-store' } });
}
