import { isOutage } from '../aws.ts';
import { AGAIN, type Patience, retry } from '../retry.ts';

/** Changes that are under way at once: about a third of what a new table on demand takes at 10 ms each. */
export const AT_ONCE = 16;

/** An operator's work goes on through throttling and a short outage: at most 90 s, and on average half of it. */
const LONG: Patience = { attempts: 18, maxWaitMs: 10_000 };

/** What is told of work on many things. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** Does the same for each thing, {@link AT_ONCE} at a time. The first error ends it, once what is under way has ended. */
export async function forEach<T>(things: readonly T[], work: (thing: T) => Promise<unknown>): Promise<void> {
  const queue = things.values();
  const worker = async () => {
    try {
      for (const thing of queue) await work(thing);
    } catch (error) {
      for (const _ of queue);
      throw error;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, worker));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/** Does work again that meets an outage, and so must be harmless when it is done twice. */
export const patiently = <T>(work: () => Promise<T>, patience: Patience = LONG): Promise<T> =>
  retry<T>(async () => {
    try {
      return await work();
    } catch (error) {
      if (isOutage(error)) return AGAIN;
      throw error;
    }
  }, patience);
