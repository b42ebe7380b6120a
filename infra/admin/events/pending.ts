import { join } from 'node:path';
import { pendingEvents } from '#lib/outbox/outbox';
import { QUEUE_FILE } from '../../local/machine/resource-names.ts';
import { readDeliveryQueue } from '../../local/services/delivery-queue.ts';
import type { DeliveredEvent } from '../../local/services/put-events.ts';
import type { Target } from '../target.ts';

/**
 * The events that wait for the bus (`state` is `pending`, or `set aside`), oldest first, and after them those that the
 * bus of a local instance has and that wait for the subscriber (`undelivered`). Times are in milliseconds since the
 * epoch. On a stack, subscribers have queues of their own.
 */
export async function listPending({ runtime, data }: Target): Promise<object[]> {
  const forBus = (await pendingEvents(runtime.table)).map((event) => ({
    state: event.setAsideAt === undefined ? 'pending' : 'set aside',
    ...event,
  }));
  const waiting = data === undefined ? [] : readDeliveryQueue(join(data, QUEUE_FILE));
  const forSubscriber = waiting.map(({ event, attempts, error, due }) => {
    const { id, time, detail, 'detail-type': detailType } = JSON.parse(event) as DeliveredEvent;
    return {
      state: 'undelivered',
      waitsFor: 'subscriber',
      id: (detail as { readonly id?: string }).id ?? id,
      detailType,
      createdAt: Date.parse(time),
      attempts,
      ...(error === null ? {} : { lastError: error }),
      nextAttemptAt: due,
      detail,
    };
  });
  return [...forBus, ...forSubscriber];
}
