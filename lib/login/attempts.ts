import { ENDPOINT_TIMEOUT_SECONDS } from '../contract/contract.ts';
import type { Attempt } from '../item/login-attempts.ts';

/** So many failures within a window that slides. */
interface Limit {
  readonly max: number;
  readonly windowMs: number;
}

/** For one username from one source address: more are refused unread. */
export const FROM_ADDRESS: Limit = { max: 5, windowMs: 5 * 60_000 };

/** For one account from anywhere: as many lock its password for a time. */
export const FROM_ANYWHERE: Limit = { max: 50, windowMs: 15 * 60_000 };

/** No login runs for longer: an attempt that is pending still has ended without an outcome, and has failed. */
const PENDING_MS = ENDPOINT_TIMEOUT_SECONDS * 1000;

/** Whether an attempt counts as a failure. */
export const hasFailed = (now: number) => (attempt: Attempt) =>
  !attempt.pending || attempt.at <= now - PENDING_MS;

const within =
  ({ windowMs }: Limit, now: number) =>
  (attempt: Attempt) =>
    attempt.at > now - windowMs;

/** The attempts that can still count: of the longer window, and made after failures were last cleared. */
export const countable = (attempts: readonly Attempt[], now: number, clearedAt: number): readonly Attempt[] =>
  attempts.filter((attempt) => within(FROM_ANYWHERE, now)(attempt) && attempt.at > clearedAt);

/** Whether so many attempts from anywhere have failed that the account is to be locked for a time. */
export const isLockedOut = (attempts: readonly Attempt[], now: number): boolean =>
  attempts.filter(hasFailed(now)).length >= FROM_ANYWHERE.max;

/** What becomes of a further attempt: it is admitted, has to wait for others, or comes too soon by some seconds. */
export type Admission = 'admitted' | 'wait' | { readonly retryAfter: number };

/**
 * Decides a further attempt. As many attempts are looked at as may fail, those that are being verified included:
 * so parallel guesses get no more than sequential ones, and parallel logins take turns.
 *
 * @param attempts those {@link countable}
 */
export function admit(attempts: readonly Attempt[], from: string, now: number): Admission {
  const here = attempts.filter((attempt) => attempt.from === from).filter(within(FROM_ADDRESS, now));
  const failedHere = here.filter(hasFailed(now));
  if (failedHere.length >= FROM_ADDRESS.max) {
    const oldest = failedHere.at(-FROM_ADDRESS.max) as Attempt;
    return { retryAfter: Math.max(1, Math.ceil((oldest.at + FROM_ADDRESS.windowMs - now) / 1000)) };
  }
  const isFull =
    here.length >= FROM_ADDRESS.max || (attempts.length >= FROM_ANYWHERE.max && !isLockedOut(attempts, now));
  return isFull ? 'wait' : 'admitted';
}
