import { afterAll, beforeEach, vi } from 'vitest';
import type { OutboxEvent } from '#lib/item/outbox-event';
import { publisherTo } from '#lib/outbox/publisher';
import { outboxKey } from '#lib/table/keys';
import type { Table } from '#lib/table/table';
import { put } from '#lib/table/write';
import { openBus } from '../../wire/event-bus.ts';

export { FAILED, type SentEntry } from '../../wire/event-bus.ts';

/**
 * Opens a bus on the wire. Call it once at the top of a test file. Every test begins with a bus that accepts all valid
 * events.
 */
export async function openTestBus() {
  const { url, calls, script, close } = await openBus();
  vi.stubEnv('AWS_ENDPOINT_URL_EVENTBRIDGE', url);
  beforeEach(() => {
    calls.length = 0;
    script(() => undefined);
  });
  afterAll(close);

  return {
    calls,
    publish: publisherTo('the-bus'),
    /** Sets the function that answers the calls from now on. */
    script,
    /** The details of the entries of each call, in their order. */
    details: () => calls.map((entries) => entries.map(({ Detail }) => JSON.parse(Detail) as unknown)),
    /** The number of entries of each call. */
    sizes: () => calls.map(({ length }) => length),
  };
}

/** Stores an event in the outbox, as a request does whose publication fails. */
export const leaveInOutbox = (table: Table, event: OutboxEvent) =>
  put(table, outboxKey(event.id), { ...event, detail: JSON.stringify(event.detail) });
