import { describe, expect, test, vi } from 'vitest';
import { publisherFromEnvironment, publisherTo } from '#lib/outbox/publisher';
import { ServiceError } from '../../../infra/local/machine/service-error.ts';
import { NOON } from '../support/engine.ts';
import { FAILED, openTestBus } from '../support/event-bus.ts';
import { eventItem } from '../support/items.ts';
import { logLines } from '../support/log-lines.ts';

const bus = await openTestBus();
const lines = logLines();
const [one, two, three] = [1, 2, 3].map((n) => eventItem(n, { createdAt: NOON + n * 1000 })) as [
  ReturnType<typeof eventItem>,
  ReturnType<typeof eventItem>,
  ReturnType<typeof eventItem>,
];
const internalError = () => {
  throw new ServiceError('InternalException', 'the bus is down', 500);
};

test('events reach the bus in one call, with their source, type, detail and time', async () => {
  expect(await bus.publish([one, two])).toEqual([one, two]);
  const common = { EventBusName: 'the-bus', Source: 'core.account', DetailType: 'user_cancel' };
  expect(bus.calls).toEqual([
    [
      { ...common, Detail: '{"n":1}', Time: NOON / 1000 + 1 },
      { ...common, Detail: '{"n":2}', Time: NOON / 1000 + 2 },
    ],
  ]);
  expect(lines).toEqual([]);
});

describe('an event is not taken as accepted', () => {
  test('where the bus fails its entry, which is logged with its code; the others are', async () => {
    bus.script(() => ({ FailedEntryCount: 1, Entries: [{ EventId: 'a' }, FAILED, { EventId: 'c' }] }));
    expect(await bus.publish([one, two, three])).toEqual([one, three]);
    expect(bus.sizes()).toEqual([3]);
    expect(lines).toEqual([
      {
        level: 'warn',
        message: 'The bus has failed an entry',
        event: two.id,
        code: 'ThrottlingException',
      },
    ]);
  });

  test.each<[string, object]>([
    ['the answer has no entries', { FailedEntryCount: 0 }],
    ['the entries are empty', { FailedEntryCount: 0, Entries: [{}, {}] }],
    ['the answer has fewer entries', { FailedEntryCount: 0, Entries: [] }],
    ['every entry fails', { FailedEntryCount: 2, Entries: [FAILED, FAILED] }],
  ])('where %s', async (_what, answer) => {
    bus.script(() => answer);
    expect(await bus.publish([one, two])).toEqual([]);
    expect(lines.map(({ event }) => event)).toEqual([one.id, two.id]);
  });
});

describe('one event does not hold back the others', () => {
  test('where it is too large, and the bus refuses the call', async () => {
    const large = eventItem(9, { detail: { text: 'x'.repeat(256 * 1024) } });
    expect(await bus.publish([one, large, three])).toEqual([one, three]);
    expect(bus.sizes()).toEqual([3, 1, 1, 1]);
    expect(lines).toMatchObject([
      {
        level: 'warn',
        message: 'The bus cannot be reached',
        event: large.id,
        error: { name: 'ValidationException' },
      },
    ]);
  });

  test('where all are too large together', async () => {
    const halves = [1, 2].map((n) => eventItem(n, { detail: { n, text: 'x'.repeat(150 * 1024) } }));
    expect(await bus.publish(halves)).toEqual(halves);
    expect(bus.sizes()).toEqual([2, 1, 1]);
    expect(lines).toEqual([]);
  });

  test('where the bus answers 500 to every call of more than one entry', async () => {
    bus.script((entries) => (entries.length > 1 ? internalError() : undefined));
    expect(await bus.publish([one, two])).toEqual([one, two]);
    expect(bus.sizes()).toEqual([2, 2, 2, 1, 1]);
  });
});

describe('publishing does not reject', () => {
  test('where the bus is down, which is asked three times', async () => {
    bus.script(internalError);
    expect(await bus.publish([one])).toEqual([]);
    expect(bus.sizes()).toEqual([1, 1, 1]);
    expect(lines).toMatchObject([
      { message: 'The bus cannot be reached', event: one.id, error: { name: 'InternalException' } },
    ]);
  });

  test('where the bus never answers', async () => {
    bus.script(() => new Promise(() => undefined));
    expect(await bus.publish([one])).toEqual([]);
    expect(lines).toMatchObject([{ event: one.id, error: { name: 'TimeoutError' } }]);
  });

  test('where nothing listens', async () => {
    const url = process.env['AWS_ENDPOINT_URL_EVENTBRIDGE'];
    try {
      vi.stubEnv('AWS_ENDPOINT_URL_EVENTBRIDGE', 'http://127.0.0.1:1');
      expect(await publisherTo('the-bus')([one])).toEqual([]);
    } finally {
      vi.stubEnv('AWS_ENDPOINT_URL_EVENTBRIDGE', url);
    }
    expect(lines).toMatchObject([{ message: 'The bus cannot be reached', event: one.id }]);
  });
});

describe('the publisher of a function', () => {
  test('publishes to the bus that its environment names', async () => {
    vi.stubEnv('EVENT_BUS_NAME', 'bound');
    expect(await publisherFromEnvironment()([one])).toEqual([one]);
    expect(bus.calls[0]?.[0]?.EventBusName).toBe('bound');
  });

  test('does not start without one', () => {
    vi.stubEnv('EVENT_BUS_NAME', '');
    expect(publisherFromEnvironment).toThrow('EVENT_BUS_NAME is not set');
  });
});
