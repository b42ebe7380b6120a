import type { JWK } from 'jose';
import { readPublicKeys } from '../auth/public-keys.ts';
import type { Runtime } from '../runtime.ts';

/** The members of an elliptic-curve signing key that are for everyone (RFC 7517, RFC 7518 section 6.2.1). */
const published = ({ kty, crv, x, y, kid, alg, use }: JWK) => ({ kty, crv, x, y, kid, alg, use });

/** The JWK Set of every key that verifies now: the current one, and those retired whose tokens still live. */
export const publicKeySet = async ({ table, now }: Pick<Runtime, 'table' | 'now'>) => ({
  keys: (await readPublicKeys(table, now())).map(({ jwk }) => published(jwk)),
});
