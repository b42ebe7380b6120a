import { describe, expect, test } from 'vitest';
import { readEntries } from '#infra/local/services/put-events';

const NOW = Date.parse('2026-11-20T05:30:00.999Z');
const entry = {
  Source: 'core.account',
  DetailType: 'user_cancel',
  Detail: '{"app":"core"}',
  EventBusName: 'b',
};
const read = (...entries: object[]) => readEntries({ Entries: entries }, 'eu-west-1', NOW);

describe('PutEvents', () => {
  test('makes an event of each valid entry', () => {
    expect(read(entry)).toEqual([
      {
        bus: 'b',
        event: {
          version: '0',
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          'detail-type': 'user_cancel',
          source: 'core.account',
          account: '000000000000',
          time: '2026-11-20T05:30:00Z',
          region: 'eu-west-1',
          resources: [],
          detail: { app: 'core' },
        },
      },
    ]);
  });

  test('takes the time in seconds, and a bus by its ARN', () => {
    const EventBusName = 'arn:aws:events:eu-west-1:000000000000:event-bus/b';
    expect(read({ ...entry, EventBusName, Time: 1_700_000_000 })).toMatchObject([
      { bus: 'b', event: { time: '2023-11-14T22:13:20Z' } },
    ]);
  });

  test.each([
    ['no source', { ...entry, Source: undefined }, 'InvalidArgument'],
    ['no type', { ...entry, DetailType: '' }, 'InvalidArgument'],
    ['no detail', { ...entry, Detail: undefined }, 'InvalidArgument'],
    ['malformed JSON', { ...entry, Detail: '{' }, 'MalformedDetail'],
    ['JSON that is no object', { ...entry, Detail: '[]' }, 'MalformedDetail'],
    ['a source of AWS', { ...entry, Source: 'aws.ec2' }, 'NotAuthorizedForSourceException'],
  ])('refuses an entry with %s, and no other', (_, bad, ErrorCode) => {
    expect(read(entry, bad)).toMatchObject([{ bus: 'b' }, { ErrorCode }]);
  });

  test('refuses requests with no entry, with more than 10, or above 256 KiB', () => {
    expect(() => read()).toThrow();
    expect(() => read(...Array.from({ length: 11 }, () => entry))).toThrow();
    const Detail = JSON.stringify({ text: 'x'.repeat(130 * 1024) });
    expect(read({ ...entry, Detail })).toHaveLength(1);
    expect(() => read({ ...entry, Detail }, { ...entry, Detail })).toThrow('over the limit');
  });
});
