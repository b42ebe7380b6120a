import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from './failure.ts';

/** What an attempt answers that is to be made again. */
export const AGAIN = Symbol('again');

/** Eight attempts, with waits of up to 20, 40, 80 ... ms between them, last at most 2.5 s, and on average half of it. */
const ATTEMPTS = 8;
const BASE_MS = 10;

/**
 * Makes attempts with exponential back-off and full jitter, until one answers anything but {@link AGAIN}.
 *
 * @throws Failure `unavailable` after the last
 * @see https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/
 */
export async function retry<T>(attempt: () => Promise<T | typeof AGAIN>): Promise<T> {
  for (let made = 0; made < ATTEMPTS; made++) {
    if (made > 0) await sleep(Math.random() * BASE_MS * 2 ** made);
    const result = await attempt();
    if (result !== AGAIN) return result;
  }
  throw new Failure('unavailable', { retryAfter: 1 });
}
