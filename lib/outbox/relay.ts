import { setTimeout as sleep } from 'node:timers/promises';
import type { Runtime } from '../runtime.ts';
import { pendingEvents, publishPending } from './outbox.ts';
import type { Publish } from './publisher.ts';

/** A younger event is likely being published by the request that made it: publishing it too would repeat it. */
const GRACE_MS = 5000;

/**
 * Publishes what requests have left behind, after waiting for those that may be at it still.
 *
 * @throws Error where events remain, so that the function counts as failed
 */
export async function relayEvents({ table, now, publish }: Runtime & { readonly publish: Publish }) {
  const seen = await pendingEvents(table);
  const newest = Math.max(0, ...seen.map(({ createdAt }) => createdAt));
  const wait = newest + GRACE_MS - now();
  if (wait > 0) await sleep(wait);
  const left = wait > 0 ? await pendingEvents(table) : seen;
  const due = left.filter(({ createdAt }) => createdAt <= newest);
  const failed = await publishPending(table, publish, due);
  if (failed.length > 0) throw new Error(`${failed.length} of ${due.length} events could not be published`);
  return { published: due.length };
}
