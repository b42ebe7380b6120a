import { ENDPOINT_TIMEOUT_SECONDS } from '../contract/contract.ts';
import { Failure } from '../failure.ts';
import type { Attempt, LoginAttempts } from '../item/login-attempts.ts';
import { DAY_MS } from '../time.ts';

const MINUTE = 60_000;

/** So many failures within a window that slides, and what they lead to. */
export interface Limit {
  /** As `RateLimit` headers name it. */
  readonly name: string;
  readonly max: number;
  readonly windowMs: number;
  /** They lock the password for so long; others only refuse what comes too soon. */
  readonly lockoutMs?: number;
  /** A success is remembered for so long. */
  readonly knownMs?: number;
}

/** For one name from one source address; where a login has succeeded, it is the only limit for a month. */
export const PER_PAIR: Limit = {
  name: 'username-and-address',
  max: 5,
  windowMs: 5 * MINUTE,
  knownMs: 30 * DAY_MS,
};

/** For one source address, whatever names it tries. */
export const PER_ADDRESS: Limit = { name: 'address', max: 50, windowMs: 15 * MINUTE };

/** For one name, from wherever it is tried: whether there is such an account makes no difference. */
export const PER_NAME: Limit = { name: 'username', max: 50, windowMs: 15 * MINUTE, lockoutMs: 15 * MINUTE };

/** The refusal of an attempt that comes too soon by some seconds. */
export const tooSoon = ({ name, max, windowMs }: Limit, { retryAfter }: { readonly retryAfter: number }) =>
  new Failure('too_many_requests', {
    retryAfter,
    limit: { name, quota: max, windowSeconds: windowMs / 1000 },
  });

/** No login runs for longer: an attempt that is pending still has ended without an outcome, and has failed. */
const PENDING_MS = ENDPOINT_TIMEOUT_SECONDS * 1000;

/** Whether an attempt counts as a failure. */
export const hasFailed = (now: number) => (attempt: Attempt) =>
  !attempt.pending || attempt.at <= now - PENDING_MS;

/** The attempts that can still count: within the window, and made after failures were last cleared. */
export const countable = (
  attempts: readonly Attempt[],
  { windowMs }: Limit,
  now: number,
  clearedAt: number,
): readonly Attempt[] => attempts.filter(({ at }) => at > now - windowMs && at > clearedAt);

/** Whether as many have failed as may. */
export const isExhausted = (attempts: readonly Attempt[], { max }: Limit, now: number) =>
  attempts.filter(hasFailed(now)).length >= max;

/** Whether a lockout has begun and neither ended nor been cleared. */
export const isLockedOut = (
  item: LoginAttempts | undefined,
  { lockoutMs = 0 }: Limit,
  now: number,
  clearedAt: number,
) => item?.locked_at !== undefined && item.locked_at > clearedAt && item.locked_at + lockoutMs > now;

/** Whether a success is remembered. */
export const isKnown = (item: LoginAttempts | undefined, { knownMs = 0 }: Limit, now: number) =>
  item?.known_at !== undefined && item.known_at + knownMs > now;

/** What becomes of a further attempt: it is admitted, has to wait for others, or comes too soon by some seconds. */
export type Admission = 'admitted' | 'wait' | { readonly retryAfter: number };

/**
 * Decides a further attempt. As many attempts are looked at as may fail, those that are being verified included:
 * so parallel guesses get no more than sequential ones, and parallel logins take turns.
 *
 * @param attempts those {@link countable}
 */
export function admit(attempts: readonly Attempt[], limit: Limit, now: number): Admission {
  const oldest = attempts.filter(hasFailed(now)).at(-limit.max);
  if (oldest) return { retryAfter: Math.max(1, Math.ceil((oldest.at + limit.windowMs - now) / 1000)) };
  return attempts.length >= limit.max ? 'wait' : 'admitted';
}
