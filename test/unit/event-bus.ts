import { afterAll, beforeEach, vi } from 'vitest';
import type { OutboxEvent } from '#lib/item/outbox-event';
import { publisherTo } from '#lib/outbox/publisher';
import { outboxKey } from '#lib/table/keys';
import type { Table } from '#lib/table/table';
import { put } from '#lib/table/write';
import { type Operations, serveAwsJson } from '../../infra/local/services/aws-json.ts';
import { readEntries } from '../../infra/local/services/put-events.ts';

/** One entry of PutEvents, as it went over the wire. */
export interface SentEntry {
  readonly EventBusName: string;
  readonly Source: string;
  readonly DetailType: string;
  readonly Detail: string;
  readonly Time: number;
}

/** Decides what one call is answered, or throws the error of the service; undefined leaves it to the rules of the bus. */
export type BusScript = (entries: readonly SentEntry[]) => object | undefined | Promise<object | undefined>;

/** What the bus answers of an entry that it fails. */
export const FAILED = { ErrorCode: 'ThrottlingException', ErrorMessage: 'Rate exceeded' };

/**
 * A bus that speaks the protocol of EventBridge, with its rules for entries and calls, and remembers every call. To be
 * called once at the top of a test file; every test begins with a bus that accepts what it may.
 */
export async function openTestBus() {
  const calls: (readonly SentEntry[])[] = [];
  let script: BusScript = () => undefined;
  const operations: Operations = {
    async PutEvents(input) {
      const sent = input['Entries'] as readonly SentEntry[];
      calls.push(sent);
      const answer = await script(sent);
      if (answer) return answer;
      const entries = readEntries(input, 'eu-west-1', 0);
      return {
        FailedEntryCount: entries.filter((entry) => 'ErrorCode' in entry).length,
        Entries: entries.map((entry) => ('event' in entry ? { EventId: entry.event.id } : entry)),
      };
    },
  };
  const service = await serveAwsJson('AWSEvents', operations, 'local');
  vi.stubEnv('AWS_ENDPOINT_URL_EVENTBRIDGE', service.url);
  beforeEach(() => {
    calls.length = 0;
    script = () => undefined;
  });
  afterAll(() => service.close());

  return {
    calls,
    publish: publisherTo('the-bus'),
    /** From now on this decides. */
    script(next: BusScript) {
      script = next;
    },
    /** The details of all entries, in the order in which they came, call by call. */
    details: () => calls.map((entries) => entries.map(({ Detail }) => JSON.parse(Detail) as unknown)),
    /** The number of entries of every call. */
    sizes: () => calls.map(({ length }) => length),
  };
}

/** An event that sorts by `n`. */
export const outboxEvent = (n: number, createdAt: number, detail: object = { n }): OutboxEvent => ({
  id: `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`,
  detailType: 'user_cancel',
  detail,
  createdAt,
});

/** Leaves an event in the outbox, as a request does whose publication fails. */
export const leaveInOutbox = (table: Table, event: OutboxEvent) =>
  put(table, outboxKey(event.id), { ...event, detail: JSON.stringify(event.detail) });
