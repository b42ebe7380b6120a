import { beforeEach, expect, test } from 'vitest';
import { pendingEvents } from '#lib/outbox/outbox';
import { isPublishRequest, publishNow } from '#lib/outbox/publish-now';
import { noteFailure, SET_ASIDE_AFTER_MS } from '#lib/outbox/trials';
import { NOON, openTestTable } from '../support/engine.ts';
import { emptyOutbox, leaveInOutbox, openTestBus } from '../support/event-bus.ts';
import { eventItem, uuidOf } from '../support/items.ts';

const { table, runtime, clock } = await openTestTable();
const bus = await openTestBus();
const relay = { ...runtime, publish: bus.publish };
const published = () => bus.details().flat();

beforeEach(() => emptyOutbox(table));

test('publishNow publishes the named events of the outbox only, and none twice', async () => {
  await leaveInOutbox(table, ...[1, 2, 3].map((n) => eventItem(n)));
  const request = { publish: [uuidOf(1), uuidOf(3), uuidOf(9)] };
  const done = { published: 2, refused: 0, left: 0, reasons: [] };
  expect(await publishNow(relay, request)).toEqual(done);
  expect(published()).toEqual([{ n: 1 }, { n: 3 }]);
  expect(await publishNow(relay, request)).toEqual({ ...done, published: 0 });
  expect(await pendingEvents(table)).toEqual([eventItem(2)]);
});

test('publishNow publishes all events, also dead-lettered ones, and reports refusals', async () => {
  await leaveInOutbox(table, ...[1, 2].map((n) => eventItem(n)));
  await noteFailure(table, eventItem(1), 'down', NOON + SET_ASIDE_AFTER_MS);
  bus.fail((n) => n === 2);
  const result = { published: 1, refused: 1, left: 0, reasons: ['ThrottlingException'] };
  expect(await publishNow(relay, { publish: 'all' })).toEqual(result);
  expect(await pendingEvents(table)).toEqual([eventItem(2)]);
});

test('publishNow begins no batch after 40 seconds, and counts the events that are left', async () => {
  await leaveInOutbox(table, ...Array.from({ length: 21 }, (_, n) => eventItem(n)));
  bus.script(() => {
    clock.time += 25_000;
    return undefined;
  });
  expect(await publishNow(relay, { publish: 'all' })).toMatchObject({ published: 20, left: 1 });
});

test('isPublishRequest distinguishes requests of commands from events of the schedule', () => {
  expect(isPublishRequest({ publish: 'all' })).toBe(true);
  expect(isPublishRequest({ 'detail-type': 'Scheduled Event', source: 'aws.events' })).toBe(false);
  expect(isPublishRequest({})).toBe(false);
});
