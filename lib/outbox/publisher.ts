import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { CLIENT_LIMITS } from '../aws.ts';
import { EVENT_SOURCE, type OutboxEvent } from '../item/outbox-event.ts';
import { describe, log } from '../log.ts';
import { requireVariable } from '../runtime.ts';

/** Publishes up to ten events and resolves to those that the bus has accepted; it never rejects. */
export type Publish = (events: readonly OutboxEvent[]) => Promise<readonly OutboxEvent[]>;

/** Most entries of one PutEvents. */
export const MAX_ENTRIES = 10;

/** Publishes to a bus of EventBridge. One call may accept some events and fail others. */
export function publisherTo(EventBusName: string): Publish {
  const client = new EventBridgeClient(CLIENT_LIMITS);
  const put = async (events: readonly OutboxEvent[]) => {
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
    return events.filter(({ id }, index) => {
      const { EventId, ErrorCode } = Entries[index] ?? {};
      if (!EventId) log('warn', { message: 'The bus has failed an entry', event: id, code: ErrorCode });
      return EventId !== undefined;
    });
  };

  const publish: Publish = async (events) => {
    try {
      return await put(events);
    } catch (error) {
      // One event that cannot be sent, being too large perhaps, must not hold back the others for ever.
      if (events.length > 1) return (await Promise.all(events.map((event) => publish([event])))).flat();
      log('warn', { message: 'The bus cannot be reached', event: events[0]?.id, error: describe(error) });
      return [];
    }
  };
  return publish;
}

/** Publishes to the bus that the function is bound to. */
export const publisherFromEnvironment = () => publisherTo(requireVariable('eventBus'));
