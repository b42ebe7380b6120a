import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeEach, vi } from 'vitest';
import type { OutboxEvent } from '#lib/item/outbox-event';
import { pendingEvents } from '#lib/outbox/outbox';
import { publisherTo } from '#lib/outbox/publisher';
import { putAll } from '#lib/table/bulk';
import { outboxKey } from '#lib/table/keys';
import type { Table } from '#lib/table/table';
import { FAILED, openBus } from '../../wire/event-bus.ts';
import { removeAll } from './remove-all.ts';

export { FAILED };

/**
 * Opens a bus on the wire. Call it once at the top of a test file. At the start of a test it accepts all valid events.
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
    /** Fails the entries of these events from now on; an event's detail names its number. */
    fail: (isFailing: (n: number) => boolean, failure: object = FAILED) =>
      script((entries) => {
        const answers = entries.map(({ Detail }) =>
          isFailing((JSON.parse(Detail) as { n: number }).n) ? failure : { EventId: 'accepted' },
        );
        return { FailedEntryCount: answers.filter((answer) => answer === failure).length, Entries: answers };
      }),
    /** The details of the entries of each call, in their order. */
    details: () => calls.map((entries) => entries.map(({ Detail }) => JSON.parse(Detail) as unknown)),
    /** Differences between the events and their published schemas, in both directions. */
    faults: () =>
      calls.flat().flatMap(({ DetailType, Detail }) => {
        const schema = JSON.parse(readFileSync(`lib/event/schemas/${DetailType}-1.json`, 'utf8')) as object;
        const ajv = formats.default(new Ajv2020());
        const validate = ajv.compile({ ...schema, $id: undefined, additionalProperties: false });
        return validate(JSON.parse(Detail)) ? [] : (validate.errors ?? []);
      }),
    /** The number of entries of each call. */
    sizes: () => calls.map(({ length }) => length),
  };
}

/** Stores events in the outbox, as requests do whose publication fails. */
export const leaveInOutbox = (table: Table, ...events: readonly OutboxEvent[]) =>
  putAll(
    table,
    events.map((event) => ({ ...outboxKey(event.id), ...event, detail: JSON.stringify(event.detail) })),
  );

/** Removes all events from the outbox. */
export async function emptyOutbox(table: Table): Promise<void> {
  const events = await pendingEvents(table);
  await removeAll(
    table,
    events.map(({ id }) => outboxKey(id)),
  );
}
