import { randomUUID } from 'node:crypto';
import { EVENTS, exampleOf } from '#lib/event/events';
import { EVENT_SOURCE } from '#lib/item/outbox-event';
import { ACCOUNT_ID } from '../../local/machine/resource-names.ts';
import type { DeliveredEvent } from '../../local/services/put-events.ts';
import { Refused } from './refused.ts';

/**
 * An example of an event, as EventBridge delivers it.
 *
 * @param type the first one unless told
 * @param now of its delivery, in milliseconds since the epoch
 * @throws Refused `unknown_event`
 */
export function sampleOf(type: string | undefined, now: number): DeliveredEvent {
  const description = type === undefined ? EVENTS[0] : EVENTS.find((event) => event.type === type);
  if (!description)
    throw new Refused(
      'unknown_event',
      `There is no event ${type}: choose ${EVENTS.map((event) => event.type).join(', ')}`,
    );
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': description.type,
    source: EVENT_SOURCE,
    account: ACCOUNT_ID,
    time: `${new Date(now).toISOString().slice(0, 19)}Z`,
    region: 'us-east-1',
    resources: [],
    detail: exampleOf(description),
  };
}
