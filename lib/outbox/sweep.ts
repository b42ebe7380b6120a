import type { Runtime } from '../runtime.ts';
import { pendingEvents, relay } from './outbox.ts';
import type { Publish } from './publisher.ts';

/** A younger event is likely being published by the request that made it. */
const GRACE_MS = 5000;

/**
 * Publishes what requests have left behind.
 *
 * @throws Error where events remain, so that the function counts as failed and somebody is told
 */
export async function sweepOutbox({ table, now }: Runtime, publish: Publish) {
  const due = (await pendingEvents(table)).filter(({ createdAt }) => createdAt <= now() - GRACE_MS);
  const refused = await relay(table, publish, due);
  if (refused.length > 0) throw new Error(`${refused.length} of ${due.length} events could not be published`);
  return { published: due.length };
}
