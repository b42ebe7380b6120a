import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { CLIENT_LIMITS } from '../aws.ts';
import { bound } from '../runtime.ts';
import { EVENT_SOURCE, type OutboxEvent } from './event.ts';

/**
 * Publishes up to ten events.
 *
 * @returns the events that the bus has accepted: one call may accept some and refuse others
 */
export type Publish = (events: readonly OutboxEvent[]) => Promise<OutboxEvent[]>;

/** Most entries of one PutEvents. */
export const MAX_ENTRIES = 10;

/** Publishes to a bus of EventBridge. */
export function publisherTo(EventBusName: string): Publish {
  const client = new EventBridgeClient(CLIENT_LIMITS);
  return async (events) => {
    const { Entries = [] } = await client.send(
      new PutEventsCommand({
        Entries: events.map(({ detailType, detail, createdAt }) => ({
          EventBusName,
          Source: EVENT_SOURCE,
          DetailType: detailType,
          Detail: JSON.stringify(detail),
          Time: new Date(createdAt),
        })),
      }),
    );
    return events.filter((_, index) => Entries[index]?.EventId !== undefined);
  };
}

/** Publishes to the bus that the function is bound to. */
export const publisherFromEnvironment = () => publisherTo(bound('eventBus'));
