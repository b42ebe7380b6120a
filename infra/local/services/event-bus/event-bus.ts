import { randomUUID } from 'node:crypto';
import { isJsonObject } from '#lib/input/exact-json';
import { EVENT_SOURCE } from '#lib/item/outbox-event';
import { ACCOUNT_ID, NAMES } from '../../machine/resource-names.ts';
import { type Input, type Operations, ServiceError, serveAwsJson } from '../../machine/serve-aws.ts';
import { type DeliveredEvent, openEventFile } from './event-file.ts';
import type { Receive } from './subscriber.ts';

/**
 * Starts EventBridge on loopback: `PutEvents` answers once its events are in the file.
 *
 * @returns `subscribe` passes later events on, once they are in the file
 */
export async function startEventBus(props: {
  readonly file: string;
  readonly region: string;
  readonly accessKeyId: string;
}) {
  const { file, region, accessKeyId } = props;
  const stream = await openEventFile(file);
  const subscribers: Receive[] = [];
  const operations: Operations = {
    async PutEvents(input) {
      const entries = readEntries(input, region, Date.now());
      // Like EventBridge, it accepts events of an unknown bus and drops them.
      const events = entries.flatMap((entry) =>
        'event' in entry && entry.bus === NAMES.eventBus && entry.event.source === EVENT_SOURCE
          ? [entry.event]
          : [],
      );
      await stream.append(events);
      for (const receive of subscribers) receive(events);
      return answerTo(entries);
    },
  };
  const service = await serveAwsJson('AWSEvents', operations, accessKeyId);
  return {
    url: service.url,
    subscribe: (receive: Receive) => void subscribers.push(receive),
    async close() {
      await service.close();
      await stream.close();
    },
  };
}

/** Result of an entry: an event for a bus, or an error of this entry only. */
export type Entry =
  | { readonly bus: string; readonly event: DeliveredEvent }
  | { readonly ErrorCode: string; readonly ErrorMessage: string };

const MAX_ENTRIES = 10;
const MAX_BYTES = 256 * 1024;

/**
 * Checks the entries of `PutEvents`, each by itself.
 *
 * @throws ServiceError if the request as a whole is refused
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
 */
export function readEntries({ Entries }: Input, region: string, now: number): Entry[] {
  if (!Array.isArray(Entries) || Entries.length < 1 || Entries.length > MAX_ENTRIES)
    throw new ServiceError('ValidationException', `Entries must have 1 to ${MAX_ENTRIES} members`);
  const entries = Entries as Input[];
  if (entries.reduce((total, entry) => total + bytesOf(entry), 0) > MAX_BYTES)
    throw new ServiceError('ValidationException', 'Total size of the entries is over the limit.');
  return entries.map((entry) => readEntry(entry, region, now));
}

/** The answer of `PutEvents` to these entries. */
export const answerTo = (entries: readonly Entry[]) => ({
  FailedEntryCount: entries.filter((entry) => 'ErrorCode' in entry).length,
  Entries: entries.map((entry) => ('event' in entry ? { EventId: entry.event.id } : entry)),
});

function readEntry(entry: Input, region: string, now: number): Entry {
  const missing = ['Source', 'DetailType', 'Detail'].find(
    (name) => typeof entry[name] !== 'string' || !entry[name],
  );
  if (missing)
    return error(
      'InvalidArgument',
      `Parameter ${missing} is not valid. Reason: ${missing} is a required argument.`,
    );
  const { Source, DetailType, Detail, EventBusName, Resources, Time } = entry as Record<string, string>;
  if (Source?.startsWith('aws.'))
    return error('NotAuthorizedForSourceException', 'Not authorized for the source.');
  const detail = parseObject(Detail as string);
  if (!detail) return error('MalformedDetail', 'Detail is malformed.');
  const event: DeliveredEvent = {
    version: '0',
    id: randomUUID(),
    'detail-type': DetailType as string,
    source: Source as string,
    account: ACCOUNT_ID,
    time: `${new Date(Time === undefined ? now : Number(Time) * 1000).toISOString().slice(0, 19)}Z`,
    region,
    resources: (Resources as string[] | undefined) ?? [],
    detail,
  };
  // A bus may be named by its ARN.
  return { bus: EventBusName?.split('/').at(-1) ?? 'default', event };
}

const error = (ErrorCode: string, ErrorMessage: string) => ({ ErrorCode, ErrorMessage });

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The size of an entry as EventBridge counts it: 14 bytes of time, and the texts in UTF-8. */
function bytesOf({ Time, Source, DetailType, Detail, Resources }: Input): number {
  const texts = [Source, DetailType, Detail, ...(Array.isArray(Resources) ? Resources : [])];
  const bytes = texts.map((text) => (typeof text === 'string' ? Buffer.byteLength(text) : 0));
  return bytes.reduce((total, each) => total + each, Time === undefined ? 0 : 14);
}
