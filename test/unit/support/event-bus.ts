import { afterAll, beforeEach, vi } from 'vitest';
import type { OutboxEvent } from '#lib/item/outbox-event';
import { publisherTo } from '#lib/outbox/publisher';
import { outboxKey } from '#lib/table/keys';
import type { Table } from '#lib/table/table';
import { put } from '#lib/table/write';
import { openBus } from '../../wire/event-bus.ts';

export { FAILED, type SentEntry } from '../../wire/event-bus.ts';

/**
 * A bus on the wire. To be called once at the top of a test file; every test begins with a bus that accepts what it may.
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
    /** From now on this decides. */
    script,
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
