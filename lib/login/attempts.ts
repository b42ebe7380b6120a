import { ENDPOINT_TIMEOUT_SECONDS } from '../contract/contract.ts';
import { Failure } from '../failure/failure.ts';
import type { Attempt, LoginAttempts } from '../item/login-attempts.ts';
import { DAY_MS, MINUTE_MS } from '../time.ts';

/** A maximum of failures within a sliding window, and its consequences. */
export interface AttemptLimit {
  /** Name in `RateLimit` headers. */
  readonly name: string;
  readonly max: number;
  readonly windowMs: number;
  /** Duration of the lockout when the limit is reached; without it, further attempts are refused only. */
  readonly lockoutMs?: number;
  /** How long a success is remembered. */
  readonly knownMs?: number;
}

const QUARTER_MS = 15 * MINUTE_MS;

/**
 * Limit of one username from one source address; the only one for a month after a successful login from there, until
 * the account has another security stamp.
 */
export const PER_PAIR: AttemptLimit = {
  name: 'username-and-address',
  max: 5,
  windowMs: 5 * MINUTE_MS,
  knownMs: 30 * DAY_MS,
};

/** Limit of one source address, across all usernames. */
export const PER_ADDRESS: AttemptLimit = { name: 'address', max: 50, windowMs: QUARTER_MS };

/** Limit of one username, across all source addresses; the same with and without an account. */
export const PER_NAME: AttemptLimit = {
  name: 'username',
  max: 50,
  windowMs: QUARTER_MS,
  lockoutMs: QUARTER_MS,
};

const { knownMs: _, ...perPair } = PER_PAIR;

/**
 * Limit of one username from one source address at its one-time code. Codes have counters of their own for this limit and
 * {@link PER_ADDRESS}, since failures at the password must not stop the code. With 60 random bits, it needs no limit of the
 * username across all addresses, which anyone could exhaust.
 */
export const CODES_PER_PAIR: AttemptLimit = perPair;

/** Refusal of an attempt by an exhausted limit or a block, with the seconds to wait. */
export const tooSoon = ({ name, max, windowMs }: AttemptLimit, { retryAfter, cause }: Refused) =>
  new Failure('too_many_requests', {
    retryAfter,
    // A block has no quota.
    ...(cause ? { cause } : { limit: { name, quota: max, windowSeconds: windowMs / 1000 } }),
  });

/** Longest duration of a login: an older pending attempt has ended without an outcome and counts as a failure. */
const PENDING_MS = ENDPOINT_TIMEOUT_SECONDS * 1000;

/** Whether an attempt counts as a failure. */
export const hasFailed = (now: number) => (attempt: Attempt) =>
  !attempt.pending || attempt.at <= now - PENDING_MS;

/** The attempts that count: within the window, and after the last clearing of failures. */
export const countable = (
  attempts: readonly Attempt[],
  { windowMs }: AttemptLimit,
  now: number,
  clearedAt: number,
): readonly Attempt[] => attempts.filter(({ at }) => at > now - windowMs && at > clearedAt);

/** Whether a lockout is in effect: begun, not ended, not cleared. */
export const isLockedOut = (
  item: LoginAttempts | undefined,
  { lockoutMs = 0 }: AttemptLimit,
  now: number,
  clearedAt: number,
) => item?.locked_at !== undefined && item.locked_at > clearedAt && item.locked_at + lockoutMs > now;

/** Whether a success is remembered: with the security stamp that the account still has. */
export const isKnown = (
  item: LoginAttempts | undefined,
  { knownMs = 0 }: AttemptLimit,
  now: number,
  stamp: string | undefined,
) =>
  item?.known_at !== undefined &&
  item.known_at + knownMs > now &&
  item.known_stamp !== undefined &&
  item.known_stamp === stamp;

interface Refused {
  /** In seconds. */
  readonly retryAfter: number;
  /** Set if an operator refuses, not a limit. */
  readonly cause?: 'address_blocked';
}

/** Decision on a further attempt: admitted, waiting for others, or refused. */
export type Admission = 'admitted' | 'wait' | Refused;

/** Whether an attempt is refused for now. */
export const isRefused = (admission: Admission): admission is Refused => typeof admission === 'object';

/** The refusal of every attempt from a blocked address, also of known usernames; undefined without a block in effect. */
export const refusalOfBlock = (item: LoginAttempts | undefined, now: number): Refused | undefined =>
  item?.blocked_until !== undefined && item.blocked_until > now
    ? { retryAfter: secondsUntil(item.blocked_until, now), cause: 'address_blocked' }
    : undefined;

const secondsUntil = (end: number, now: number) => Math.max(1, Math.ceil((end - now) / 1000));

/**
 * Decides a further attempt. Pending attempts count like failures, so parallel logins get no more attempts than
 * sequential ones: they take turns.
 *
 * @param attempts the {@link countable} ones
 */
export function admit(attempts: readonly Attempt[], limit: AttemptLimit, now: number): Admission {
  const oldest = attempts.filter(hasFailed(now)).at(-limit.max);
  if (oldest) return { retryAfter: secondsUntil(oldest.at + limit.windowMs, now) };
  return attempts.length >= limit.max ? 'wait' : 'admitted';
}
