import { expect, test, vi } from 'vitest';
import { EVENT_SOURCE, type OutboxEvent } from '#lib/item/outbox-event';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { ServiceError } from '../../../infra/local/machine/serve-aws.ts';
import { NOON } from '../support/engine.ts';
import { openTestBus } from '../support/event-bus.ts';
import { eventItem } from '../support/items.ts';
import { logLines } from '../support/log-lines.ts';

const bus = await openTestBus();
const lines = logLines();
const eventAt = (n: number) => eventItem(n, { createdAt: NOON + n * 1000 });
const [one, two, three] = [eventAt(1), eventAt(2), eventAt(3)];
const unreachable = (event: OutboxEvent, name: string) => ({
  level: 'warn',
  message: 'The bus did not accept a call',
  event: event.id,
  error: { name },
});

test('publisherTo sends events in one call, with their source, type, detail and time', async () => {
  expect(await bus.publish([one, two])).toEqual([one, two]);
  const common = { EventBusName: 'the-bus', Source: EVENT_SOURCE, DetailType: 'user_cancel' };
  expect(bus.calls).toEqual([
    [
      { ...common, Detail: '{"n":1}', Time: NOON / 1000 + 1 },
      { ...common, Detail: '{"n":2}', Time: NOON / 1000 + 2 },
    ],
  ]);
  expect(lines).toEqual([]);
});

test('publisherTo returns the accepted events, and logs the code of each that failed', async () => {
  bus.fail((n) => n === 2);
  expect(await bus.publish([one, two, three])).toEqual([one, three]);
  expect(bus.sizes()).toEqual([3]);
  expect(lines).toEqual([
    { level: 'warn', message: 'The bus refused an entry', event: two.id, code: 'ThrottlingException' },
  ]);
});

test.each<[string, object]>([
  ['has no entries', { FailedEntryCount: 0 }],
  ['has empty entries', { FailedEntryCount: 0, Entries: [{}, {}] }],
  ['has too few entries', { FailedEntryCount: 0, Entries: [] }],
])('publisherTo treats no event as accepted when the answer %s', async (_what, answer) => {
  bus.script(() => answer);
  const refused: unknown[] = [];
  expect(await bus.publish([one, two], (event, reason) => refused.push([event, reason]))).toEqual([]);
  expect(lines.map(({ event }) => event)).toEqual([one.id, two.id]);
  const reason = 'The bus returned no result for this event';
  expect(refused).toEqual([
    [one, reason],
    [two, reason],
  ]);
});

test('publisherTo sends events one by one when they are too large together, or one is', async () => {
  const halves = [1, 2].map((n) => eventItem(n, { detail: { n, text: 'x'.repeat(150 * 1024) } }));
  expect(await bus.publish(halves)).toEqual(halves);
  expect([bus.sizes(), lines]).toEqual([[2, 1, 1], []]);
  bus.calls.length = 0;
  const large = eventItem(9, { detail: { text: 'x'.repeat(256 * 1024) } });
  const refused = vi.fn();
  expect(await bus.publish([one, large, three], refused)).toEqual([one, three]);
  expect(refused).toHaveBeenCalledExactlyOnceWith(large, expect.stringContaining('ValidationException'));
  expect(bus.sizes()).toEqual([3, 1, 1, 1]);
  expect(lines).toMatchObject([unreachable(large, 'ValidationException')]);
});

test('publisherTo returns no event when the bus fails three attempts, and at most 300 characters of the reason', async () => {
  bus.script(() => {
    throw new ServiceError('InternalException', 'x'.repeat(400), 500);
  });
  const refused = vi.fn();
  expect(await bus.publish([one], refused)).toEqual([]);
  const reason = `InternalException: EventBridge PutEvents: ${'x'.repeat(400)}`.slice(0, 300);
  expect(refused).toHaveBeenCalledExactlyOnceWith(one, reason);
  expect(bus.sizes()).toEqual([1, 1, 1]);
  expect(lines).toMatchObject([unreachable(one, 'InternalException')]);
});

test('publisherFromEnvironment publishes to the bus that the environment names', async () => {
  vi.stubEnv('EVENT_BUS_NAME', 'bound');
  expect(await publisherFromEnvironment()([one])).toEqual([one]);
  expect(bus.calls[0]?.[0]?.EventBusName).toBe('bound');
  vi.stubEnv('EVENT_BUS_NAME', '');
  expect(publisherFromEnvironment).toThrow('EVENT_BUS_NAME is not set');
});
