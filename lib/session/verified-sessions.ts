import { hash } from 'node:crypto';
import type { Runtime } from '../runtime.ts';
import { BoundedMap } from './bounded-map.ts';
import { type FindPublicKey, isTimely, type VerifiedSession, verifySession } from './session-token.ts';

/**
 * Verifies session tokens, the signature of a remembered token only once. The memory only admits: a token that is not
 * valid now, or whose key is not cached or has changed, is verified in full and refused.
 *
 * Tokens are remembered by their hash, so that no credential stays in memory after its request.
 *
 * @returns a function that throws Failure `unauthenticated`
 */
export function sessionVerifier(
  runtime: Pick<Runtime, 'instanceName' | 'now'>,
  findPublicKey: FindPublicKey,
): (token: string) => Promise<VerifiedSession> {
  const verified = new BoundedMap<VerifiedSession>();

  return async (token) => {
    const digest = hash('sha256', token, 'base64');
    const known = verified.get(digest);
    const isGood = known && isTimely(known, runtime.now()) && (await findPublicKey(known.kid)) === known.key;
    const session = isGood ? known : await verifySession(runtime, token, findPublicKey);
    verified.set(digest, session);
    return session;
  };
}
