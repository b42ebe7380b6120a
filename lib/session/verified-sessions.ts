import { hash } from 'node:crypto';
import { BoundedMap } from '../bounded-map.ts';
import type { Runtime } from '../runtime.ts';
import { type FindPublicKey, isTimely, type VerifiedSession, verifySession } from './session-token.ts';

/** Sessions that an execution environment keeps. */
export const REMEMBERED = 1000;

/**
 * Verifies session tokens; the signature of one that was seen before, while it is remembered, is not verified twice.
 * What is remembered only ever admits: a token whose key is not held any more, or is another one under the same id, and
 * one whose time is not now, are verified like new ones, and so refused.
 *
 * A token is remembered by its hash, since so no credential outlives its request in memory.
 *
 * @returns a function that throws Failure `unauthenticated`
 */
export function sessionVerifier(
  runtime: Pick<Runtime, 'instanceName' | 'now'>,
  findPublicKey: FindPublicKey,
): (token: string) => Promise<VerifiedSession> {
  const verified = new BoundedMap<VerifiedSession>(REMEMBERED);

  return async (token) => {
    const digest = hash('sha256', token, 'base64');
    const known = verified.get(digest);
    const isGood = known && isTimely(known, runtime.now()) && (await findPublicKey(known.kid)) === known.key;
    const session = isGood ? known : await verifySession(runtime, token, findPublicKey);
    verified.set(digest, session);
    return session;
  };
}
