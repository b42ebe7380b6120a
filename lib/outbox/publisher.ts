import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { EVENT_SOURCE, type OutboxEvent } from '../item/outbox-event.ts';
import { describe, log } from '../log/log.ts';
import { CLIENT_LIMITS, namingErrors } from '../network/aws.ts';
import { requireVariable } from '../runtime.ts';

/** Receives an event that the bus does not accept, with a short reason that contains nothing of the event. */
export type Refused = (event: OutboxEvent, reason: string) => void;

/**
 * Publishes up to {@link MAX_ENTRIES} events; never rejects.
 *
 * @returns those that were published and are still in the outbox
 */
export type Publish = (events: readonly OutboxEvent[], refused?: Refused) => Promise<readonly OutboxEvent[]>;

/** Maximum of entries in one PutEvents call. */
export const MAX_ENTRIES = 10;

/** Maximum of characters of a reason, which is stored with the event. */
const MAX_REASON = 300;

/** Publishes to a bus of EventBridge. One call may accept some events and fail others. */
export function publisherTo(EventBusName: string): Publish {
  const client = namingErrors(new EventBridgeClient(CLIENT_LIMITS));
  const put: Publish = async (events, refused) => {
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
    return events.filter((event, index) => {
      const { EventId, ErrorCode } = Entries[index] ?? {};
      if (EventId !== undefined) return true;
      log('warn', { message: 'The bus refused an entry', event: event.id, code: ErrorCode });
      refused?.(event, ErrorCode ?? 'The bus returned no result for this event');
      return false;
    });
  };

  const publish: Publish = async (events, refused) => {
    try {
      return await put(events, refused);
    } catch (error) {
      // An event that cannot be sent, for example because it is too large, must not block the others.
      if (events.length > 1)
        return (await Promise.all(events.map((event) => publish([event], refused)))).flat();
      const description = describe(error);
      log('warn', { message: 'The bus did not accept a call', event: events[0]?.id, error: description });
      if (events[0])
        refused?.(events[0], `${description.name}: ${description.message ?? ''}`.slice(0, MAX_REASON));
      return [];
    }
  };
  return publish;
}

/** Publishes to the bus that the function is bound to. */
export const publisherFromEnvironment = () => publisherTo(requireVariable('eventBus'));
