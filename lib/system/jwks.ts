import type { PublicKeyItem } from '../item/instance.ts';
import type { Runtime } from '../runtime.ts';
import { readPublicKeys } from '../session/public-keys.ts';

/** The members of an elliptic-curve signing key that are for everyone (RFC 7517, RFC 7518 section 6.2.1). */
const published = ({ x = '', y = '', kid }: PublicKeyItem['jwk']) => ({
  kty: 'EC' as const,
  crv: 'P-256' as const,
  x,
  y,
  kid,
  alg: 'ES256' as const,
  use: 'sig' as const,
});

/** The JWK Set of every key that verifies now: the current one, and those retired whose tokens still live. */
export const publicKeySet = async ({ table, now }: Pick<Runtime, 'table' | 'now'>) => ({
  keys: (await readPublicKeys(table, now())).map(({ jwk }) => published(jwk)),
});
