import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from './failure.ts';

/** What an attempt answers that is to be made again. */
export const AGAIN = Symbol('again');

/** Eight attempts, with waits of up to 20, 40, 80 ... ms between them, last at most 2.5 s, and on average half of it. */
const ATTEMPTS = 8;
const BASE_MS = 10;
const MAX_WAIT_MS = 1280;

/** How long something is tried: so many attempts, with waits of up to so many milliseconds between them. */
export interface Patience {
  readonly attempts: number;
  readonly maxWaitMs: number;
}

/** For what must get through while others try the same all the time: at most 8 s, and on average half of it. */
export const PATIENT: Patience = { attempts: 160, maxWaitMs: 50 };

/**
 * Makes attempts with exponential back-off and full jitter, until one answers anything but {@link AGAIN}.
 *
 * @throws Failure `unavailable` after the last
 * @see https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/
 */
export async function retry<T>(
  attempt: () => Promise<T | typeof AGAIN>,
  { attempts, maxWaitMs }: Patience = { attempts: ATTEMPTS, maxWaitMs: MAX_WAIT_MS },
): Promise<T> {
  for (let made = 0; made < attempts; made++) {
    if (made > 0) await sleep(Math.random() * Math.min(BASE_MS * 2 ** made, maxWaitMs));
    const result = await attempt();
    if (result !== AGAIN) return result;
  }
  throw new Failure('unavailable', { retryAfter: 1 });
}
