import { EVENT_SOURCE } from '#lib/item/outbox-event';
import { NAMES } from '../machine/resource-names.ts';
import { say } from '../machine/terminal.ts';
import { type Operations, type Service, serveAwsJson } from './aws-json.ts';
import { openEventFile, readEvents } from './event-file.ts';
import { compilePattern } from './event-pattern.ts';
import { readEntries } from './put-events.ts';
import { replayOperations } from './replays.ts';
import { openSubscriber, type Subscription } from './subscriber.ts';

/** The rule of the one bus there is. */
const isOurs = compilePattern({ source: [EVENT_SOURCE] });

export interface EventBusProps {
  /** Where delivered events are appended, one line of JSON each. */
  readonly file: string;
  readonly region: string;
  /** Of those whom it answers. */
  readonly accessKeyId: string;
  /** Where delivered events are also posted to. */
  readonly subscription?: Subscription | undefined;
}

/** EventBridge on loopback: `PutEvents` answers once the delivered events are on the disk. */
export async function startEventBus({
  file,
  region,
  accessKeyId,
  subscription,
}: EventBusProps): Promise<Service> {
  const subscriber = subscription && openSubscriber(subscription);
  const stream = await openEventFile(file, (events, end) => {
    for (const event of events) say(`event  ${event.time}  ${event['detail-type']}  ${event.id}`);
    subscriber?.receive(events, end);
  });
  subscriber?.begin(stream.end, await readEvents(file, subscriber.place(stream.end)));

  const operations: Operations = {
    async PutEvents(input) {
      const entries = readEntries(input, region, Date.now());
      // To a bus that does not exist, EventBridge accepts events, and drops them.
      await stream.append(
        entries.flatMap((entry) =>
          'event' in entry && entry.bus === NAMES.eventBus && isOurs(entry.event) ? [entry.event] : [],
        ),
      );
      return {
        FailedEntryCount: entries.filter((entry) => 'ErrorCode' in entry).length,
        Entries: entries.map((entry) => ('event' in entry ? { EventId: entry.event.id } : entry)),
      };
    },
    ...replayOperations(subscriber, file, region),
  };
  const service = await serveAwsJson('AWSEvents', operations, accessKeyId);
  return {
    url: service.url,
    async close() {
      await service.close();
      await stream.close();
      await subscriber?.close();
    },
  };
}
