import { gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { auditLogFromEnvironment } from '#lib/audit/audit-log';
import { collectLines } from '#lib/audit/collect';
import { collectAudit } from '#lib/audit/jobs';
import { jobWithoutTable } from '#lib/function/job';
import { invocation } from '../endpoints.ts';
import { openTestLogGroup } from '../log-groups.ts';
import { logLines } from '../log-lines.ts';

const logs = await openTestLogGroup('the-audit-log');
vi.stubEnv('AUDIT_LOG_GROUP_NAME', 'the-audit-log');
vi.stubEnv('TABLE_NAME', undefined);
const lines = logLines();

const collect = jobWithoutTable(collectAudit, (event: Event, { auditLog }) => collectLines(auditLog, event), {
  auditLog: auditLogFromEnvironment,
});

type Event = Parameters<typeof collectLines>[1];

/** What CloudWatch Logs sends. @see https://docs.aws.amazon.com/lambda/latest/dg/services-cloudwatchlogs.html */
const sent = (messages: readonly string[], messageType = 'DATA_MESSAGE'): Event => {
  const logEvents = messages.map((message, index) => ({
    id: `id-${index}`,
    timestamp: 1000 + index,
    message,
  }));
  const message = {
    messageType,
    owner: '123456789012',
    logGroup: 'core-account-lock',
    logStream: '2026/11/20/[$LATEST]0',
    subscriptionFilters: ['audit'],
    logEvents,
  };
  return { awslogs: { data: gzipSync(JSON.stringify(message)).toString('base64') } };
};

test('lines are copied as they are, each at its own time, by a function without a table', async () => {
  const [one, other] = ['{"level":"audit","actor":"ä"}\n', '{"level":"audit"}'];
  expect(await collect(sent([one, other]), invocation())).toBe(2);
  expect(logs.lines('functions')).toEqual([
    { timestamp: 1000, message: '{"level":"audit","actor":"ä"}' },
    { timestamp: 1001, message: '{"level":"audit"}' },
  ]);
});

test('a message that only asks whether anybody listens is none', async () => {
  expect(await collect(sent(['CWL CONTROL MESSAGE'], 'CONTROL_MESSAGE'), invocation())).toBe(0);
  expect(logs.calls).toEqual([]);
});

test('what cannot be kept fails the invocation, so that it is sent again', async () => {
  logs.script(() => ({ rejectedLogEventsInfo: { expiredLogEventEndIndex: 1 } }));
  await expect(collect(sent(['{}']), invocation())).rejects.toThrow('rejected');
  expect(lines).toMatchObject([{ level: 'error', function: 'audit.collect' }]);
});
