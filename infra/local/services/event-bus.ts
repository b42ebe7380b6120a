import { EVENT_SOURCE } from '#lib/item/outbox-event';
import { NAMES } from '../machine/resource-names.ts';
import { say } from '../machine/terminal.ts';
import { type Operations, type Service, serveAwsJson } from './aws-json.ts';
import { openEventFile } from './event-file.ts';
import { type DeliveredEvent, readEntries } from './put-events.ts';

/**
 * Starts EventBridge on loopback: `PutEvents` answers after its events are on the disk.
 *
 * @param props `file` gets one line of JSON for each delivered event; `receive` gets the event afterwards
 */
export async function startEventBus(props: {
  readonly file: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly receive?: (events: readonly DeliveredEvent[]) => void;
}): Promise<Service> {
  const { file, region, accessKeyId, receive } = props;
  const stream = await openEventFile(file);
  const operations: Operations = {
    async PutEvents(input) {
      const entries = readEntries(input, region, Date.now());
      // As EventBridge, it accepts events of an unknown bus and drops them.
      const events = entries.flatMap((entry) =>
        'event' in entry && entry.bus === NAMES.eventBus && entry.event.source === EVENT_SOURCE
          ? [entry.event]
          : [],
      );
      await stream.append(events);
      for (const event of events) say(`event  ${event.time}  ${event['detail-type']}  ${event.id}`);
      receive?.(events);
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
      await stream.close();
    },
  };
}
