import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../failure/failure.ts';

/** Result of an attempt that requests another one. */
export const AGAIN = Symbol('again');

const BASE_MS = 10;

/** Number of attempts, and the longest wait between them in milliseconds. */
export interface Patience {
  readonly attempts: number;
  readonly maxWaitMs: number;
}

/** By default: waits of up to 20, 40, 80 ... ms take at most 2.5 s, on average half of it. */
const USUAL: Patience = { attempts: 8, maxWaitMs: 1280 };

/** For work with constant competition: at most 8 s, on average half of it. */
export const PATIENT: Patience = { attempts: 160, maxWaitMs: 50 };

/**
 * Repeats an attempt with exponential back-off and full jitter while it resolves to {@link AGAIN}.
 *
 * @throws Failure `unavailable` after the last attempt
 * @see https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/
 */
export async function retry<T>(
  attempt: () => Promise<T | typeof AGAIN>,
  { attempts, maxWaitMs } = USUAL,
): Promise<T> {
  for (let made = 0; made < attempts; made++) {
    if (made > 0) await sleep(Math.random() * Math.min(BASE_MS * 2 ** made, maxWaitMs));
    const result = await attempt();
    if (result !== AGAIN) return result;
  }
  throw new Failure('unavailable', { retryAfter: 1 });
}
