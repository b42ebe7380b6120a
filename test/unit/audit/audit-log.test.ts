import { expect, describe as group, test } from 'vitest';
import { auditLogTo, batches, type LogLine, openLogs } from '#lib/audit/audit-log';
import { ServiceError } from '../../../infra/local/machine/service-error.ts';
import { openTestLogGroup } from '../support/log-groups.ts';

const logs = await openTestLogGroup('the-audit-log');
const append = auditLogTo(openLogs(), 'the-audit-log', 'a-stream');
const line = (timestamp: number, message = `line ${timestamp}`): LogLine => ({ timestamp, message });

test('lines are appended to their stream, which the first of them makes', async () => {
  await append([line(1)]);
  expect(logs.operations()).toEqual(['PutLogEvents', 'CreateLogStream', 'PutLogEvents']);
  await append([line(2)]);
  expect(logs.operations()).toHaveLength(4);
  expect(logs.lines('a-stream')).toEqual([line(1), line(2)]);
});

test('a stream that another makes at the same moment is as good', async () => {
  await Promise.all([append([line(1)]), append([line(2)]), append([line(3)])]);
  expect(logs.lines('a-stream')).toHaveLength(3);
});

test('lines that are rejected, or that cannot be put, are an error', async () => {
  await append([line(1)]);
  logs.script(() => ({ rejectedLogEventsInfo: { tooOldLogEventEndIndex: 0 } }));
  await expect(append([line(2)])).rejects.toThrow('tooOldLogEventEndIndex');
  logs.script(() => {
    throw new ServiceError('AccessDeniedException', 'No');
  });
  await expect(append([line(3)])).rejects.toThrow('No');
});

test('a stream that cannot be made is an error', async () => {
  logs.script((operation) => {
    if (operation === 'CreateLogStream') throw new ServiceError('AccessDeniedException', 'No');
    return undefined;
  });
  await expect(append([line(1)])).rejects.toThrow('No');
});

group('one call takes', () => {
  const sizes = (lines: readonly LogLine[]) => batches(lines).map(({ length }) => length);

  test('lines in the order of their times', () => {
    expect(batches([line(3), line(1), line(2)])).toEqual([[line(1), line(2), line(3)]]);
  });

  test.each<[string, LogLine[], number[]]>([
    ['no line in no call', [], []],
    ['ten thousand lines', Array.from({ length: 10_001 }, (_, n) => line(n, '')), [10_000, 1]],
    ['a mebibyte', [line(1, 'x'.repeat(1_048_550)), line(2, '')], [1, 1]],
    ['a mebibyte to its last byte', [line(1, 'x'.repeat(1_048_576 - 52)), line(2, '')], [2]],
    ['a mebibyte of UTF-8', [line(1, 'ä'.repeat(524_200)), line(2, 'x'.repeat(200))], [1, 1]],
  ])('%s', (_, lines, expected) => {
    expect(sizes(lines)).toEqual(expected);
  });
});
