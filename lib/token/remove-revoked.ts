import { REQUEST_MS, removeRevoked } from '../account/tokens/remove.ts';
import { JOB_TIMEOUT_SECONDS } from '../contract/contract.ts';
import { log } from '../log/log.ts';
import type { Announcing } from '../outbox/announcement.ts';
import { allRevocations } from '../table/keys.ts';
import { query } from '../table/read.ts';
import { removeRevokedTokens } from './jobs.ts';

/** Younger revocations are left to their own requests, which are probably removing the items. */
export const GRACE_MS = 60_000;

/** Latest start of a batch: the bus may take 10 s for its events. */
const LAST_BATCH_MS = JOB_TIMEOUT_SECONDS * 1000 - 25_000;

/**
 * Removes the items of revoked tokens that requests have left, each with its event. A failure for one account does not keep
 * the others.
 *
 * @param requestId ID of the run
 * @throws Error of the first account that failed, so that the invocation fails
 */
export async function removeLeft(runtime: Announcing, requestId: string) {
  const { table, now } = runtime;
  const started = now();
  const tally = { completed: 0, left: 0 };
  const errors: unknown[] = [];
  for (const revocation of await query(table, allRevocations)) {
    if (revocation.revoked_at > started - GRACE_MS) continue;
    // An account whose thief changes it all the time must not take the time of the others.
    const until = Math.min(now() + REQUEST_MS, started + LAST_BATCH_MS);
    const isDone = await removeRevoked(runtime, revocation, until).catch((error) => {
      errors.push(error);
      return false;
    });
    tally[isDone ? 'completed' : 'left']++;
  }
  log('info', {
    function: removeRevokedTokens.id,
    requestId,
    message: 'Revoked tokens were removed',
    ...tally,
  });
  if (errors.length > 0) throw errors[0];
  return tally;
}
