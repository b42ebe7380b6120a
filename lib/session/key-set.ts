import { Answer } from '../contract/answer.ts';
import type { Runtime } from '../runtime.ts';
import type { KeyUse } from './key-use.ts';
import { readPublicKeys } from './public-keys.ts';
import type { PublicKey } from './session-token.ts';

/**
 * The JWK Set (RFC 7517) of every key of a use that verifies now: also the next one, and retired ones with unexpired tokens.
 * An empty set is not cacheable, since the first key signs as soon as it is published.
 *
 * @param published the public members of a key
 */
export async function keySet<Member>(
  { table, now }: Pick<Runtime, 'table' | 'now'>,
  use: KeyUse,
  published: (jwk: PublicKey) => Member,
) {
  const keys = (await readPublicKeys(table, now(), use)).map(({ jwk }) => published(jwk));
  return new Answer({ keys }, keys.length > 0 ? {} : { headers: { 'cache-control': 'no-store' } });
}
