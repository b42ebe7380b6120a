import { open } from 'node:fs/promises';
import { EVENT_SOURCE } from '#lib/item/outbox-event';
import { NAMES } from '../machine/resource-names.ts';
import { say } from '../machine/terminal.ts';
import { type Operations, type Service, serveAwsJson } from './aws-json.ts';
import { compilePattern } from './event-pattern.ts';
import { type DeliveredEvent, readEntries } from './put-events.ts';
import { openSubscriber } from './subscriber.ts';

/** The rule of the one bus there is. */
const isOurs = compilePattern({ source: [EVENT_SOURCE] });

export interface EventBusProps {
  /** Where delivered events are appended, one line of JSON each. */
  readonly file: string;
  readonly region: string;
  /** Of those whom it answers. */
  readonly accessKeyId: string;
  /** Where each delivered event is also posted to. */
  readonly subscribe?: string | undefined;
}

/** EventBridge on loopback: `PutEvents` answers once the delivered events are on the disk. */
export async function startEventBus({
  file,
  region,
  accessKeyId,
  subscribe,
}: EventBusProps): Promise<Service> {
  const events = await openEventFile(file);
  const subscriber = subscribe === undefined ? undefined : openSubscriber(subscribe);

  const operations: Operations = {
    async PutEvents(input) {
      const entries = readEntries(input, region, Date.now());
      // To a bus that does not exist, EventBridge accepts events, and drops them.
      const delivered = entries.flatMap((entry) =>
        'event' in entry && entry.bus === NAMES.eventBus && isOurs(entry.event) ? [entry.event] : [],
      );
      await events.append(delivered);
      for (const event of delivered) {
        say(`event  ${event.time}  ${event['detail-type']}  ${event.id}`);
        subscriber?.post(event);
      }
      return {
        FailedEntryCount: entries.filter((entry) => 'ErrorCode' in entry).length,
        Entries: entries.map((entry) => ('event' in entry ? { EventId: entry.event.id } : entry)),
      };
    },
  };
  const service = await serveAwsJson('AWSEvents', operations, accessKeyId);
  return {
    url: service.url,
    async close() {
      await service.close();
      subscriber?.close();
      await events.close();
    },
  };
}

/** A line that was cut off, as by a loss of power, was never acknowledged: the file goes on before it. */
async function openEventFile(path: string) {
  const file = await open(path, 'a+', 0o600);
  const text = await file.readFile();
  await file.truncate(text.lastIndexOf('\n') + 1);
  return {
    async append(events: readonly DeliveredEvent[]) {
      if (events.length === 0) return;
      await file.appendFile(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
      await file.datasync();
    },
    close: () => file.close(),
  };
}
