import { expect, test } from 'vitest';
import { auditLogTo, batches, type LogLine, openLogs } from '#lib/audit/audit-log';
import { DAY_MS } from '#lib/time';
import { ServiceError } from '../../../infra/local/machine/serve-aws.ts';
import { openTestLogGroup } from '../support/log-groups.ts';

const logs = await openTestLogGroup('the-audit-log');
const { append } = auditLogTo(openLogs(), 'the-audit-log', 'a-stream');
const line = (timestamp: number, message = `line ${timestamp}`): LogLine => ({ timestamp, message });

/** Makes an operation fail from now on. */
const refuse = (refused: string) =>
  logs.script((operation) => {
    if (operation === refused) throw new ServiceError('AccessDeniedException', 'No');
    return undefined;
  });

test('the first line creates its stream, and further ones are appended to it', async () => {
  await append([line(1)]);
  await append([line(2)]);
  expect(logs.operations()).toEqual(['PutLogEvents', 'CreateLogStream', 'PutLogEvents', 'PutLogEvents']);
  expect(logs.lines('a-stream')).toEqual([line(1), line(2)]);
});

test('a stream that another caller creates at the same moment is used', async () => {
  await Promise.all([append([line(1)]), append([line(2)]), append([line(3)])]);
  expect(logs.lines('a-stream')).toHaveLength(3);
});

test('a refusal of the lines creates no stream, and the same lines are not put again', async () => {
  refuse('PutLogEvents');
  await expect(append([line(1)])).rejects.toThrow('No');
  expect(logs.operations()).toEqual(['PutLogEvents']);
});

test('appending fails when the stream cannot be created', async () => {
  refuse('CreateLogStream');
  await expect(append([line(1)])).rejects.toThrow('No');
});

const MIB = 1_048_576;

test.each<[string, LogLine[], number[]]>([
  ['no line', [], []],
  ['ten thousand lines', Array.from({ length: 10_001 }, (_, n) => line(n, '')), [10_000, 1]],
  ['a mebibyte to its last byte', [line(1, 'x'.repeat(MIB - 52)), line(2, '')], [2]],
  ['no byte more', [line(1, 'x'.repeat(MIB - 51)), line(2, '')], [1, 1]],
  ['a mebibyte of UTF-8', [line(1, 'ä'.repeat(524_200)), line(2, 'x'.repeat(200))], [1, 1]],
])('a batch has %s', (_, lines, sizes) => {
  expect(batches(lines).map(({ length }) => length)).toEqual(sizes);
});

test('a batch has lines of one day at most, as CloudWatch Logs takes them', () => {
  const [first, last, later] = [line(5), line(5 + DAY_MS), line(6 + DAY_MS)];
  expect(batches([later, first, last])).toEqual([[first, last], [later]]);
});

test('a batch has its lines in the order of their times', () => {
  expect(batches([line(3), line(1), line(2)])).toEqual([[line(1), line(2), line(3)]]);
});
