import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { expect, onTestFinished, test } from 'vitest';
import { NAMES } from '#infra/local/machine/resource-names';
import { readEntries, startEventBus } from '#infra/local/services/event-bus/event-bus';
import { newFolder } from '../support/folder.ts';

const entry = { Source: 'core.account', DetailType: 'user_cancel', Detail: '{"a":1}', EventBusName: 'b' };
const read = (...entries: object[]) =>
  readEntries({ Entries: entries }, 'eu-west-1', Date.parse('2026-11-20T05:30:00.999Z'));

test('PutEvents delivers an event for each valid entry', () => {
  const event = {
    version: '0',
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    'detail-type': 'user_cancel',
    source: 'core.account',
    account: '000000000000',
    time: '2026-11-20T05:30:00Z',
    region: 'eu-west-1',
    resources: [],
    detail: { a: 1 },
  };
  expect(read(entry)).toEqual([{ bus: 'b', event }]);
});

test('PutEvents accepts a time in seconds, and a bus by its ARN', () => {
  const EventBusName = 'arn:aws:events:eu-west-1:000000000000:event-bus/b';
  expect(read({ ...entry, EventBusName, Time: 1_700_000_000 })).toMatchObject([
    { bus: 'b', event: { time: '2023-11-14T22:13:20Z' } },
  ]);
});

test.each([
  [{ Source: undefined }, 'InvalidArgument'],
  [{ DetailType: '' }, 'InvalidArgument'],
  [{ Detail: undefined }, 'InvalidArgument'],
  [{ Detail: '{' }, 'MalformedDetail'],
  [{ Detail: '[]' }, 'MalformedDetail'],
  [{ Source: 'aws.ec2' }, 'NotAuthorizedForSourceException'],
])('PutEvents refuses an entry with %j only: %s', (bad, ErrorCode) => {
  expect(read(entry, { ...entry, ...bad })).toMatchObject([{ bus: 'b' }, { ErrorCode }]);
});

test('PutEvents refuses requests without an entry, with more than 10, or above 256 KiB', () => {
  expect(() => read()).toThrow('1 to 10 members');
  expect(() => read(...Array.from({ length: 11 }, () => entry))).toThrow('1 to 10 members');
  const large = { ...entry, Detail: JSON.stringify({ text: 'x'.repeat(130 * 1024) }) };
  expect(read(large)).toHaveLength(1);
  expect(() => read(large, large)).toThrow('over the limit');
});

test('PutEvents passes on the events of this service when they are in the file', async () => {
  const [file, region, accessKeyId] = [join(newFolder(), 'events.jsonl'), 'eu-west-1', 'local'];
  const passed: unknown[][] = [];
  const receive = (events: readonly object[]) =>
    void passed.push(
      events.map((event) => JSON.stringify(event)),
      readFileSync(file, 'utf8').split('\n'),
    );
  const bus = await startEventBus({ file, region, accessKeyId });
  bus.subscribe(receive);
  onTestFinished(bus.close);
  const credentials = { accessKeyId, secretAccessKey: 'local' };
  const client = new EventBridgeClient({ endpoint: bus.url, region, credentials });
  const own = { ...entry, EventBusName: NAMES.eventBus };
  await client.send(new PutEventsCommand({ Entries: [own, entry, { ...own, Source: 'other' }] }));
  const line = expect.stringContaining('"source":"core.account"');
  expect(passed).toEqual([[line], [line, '']]);
});
