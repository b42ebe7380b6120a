import { expect, test, vi } from 'vitest';
import { auditLogFromEnvironment } from '#lib/audit/audit-log';
import { collectLines } from '#lib/audit/collect';
import { collectAudit } from '#lib/audit/jobs';
import { jobWithoutTable } from '#lib/handler/job';
import { invocation } from '../support/endpoints.ts';
import { openTestLogGroup, subscriptionEvent as sent } from '../support/log-groups.ts';
import { logLines } from '../support/log-lines.ts';

const logs = await openTestLogGroup('the-audit-log');
vi.stubEnv('AUDIT_LOG_GROUP_NAME', 'the-audit-log');
vi.stubEnv('TABLE_NAME', undefined);
const lines = logLines();

const collect = jobWithoutTable(collectAudit, (event: Event, { auditLog }) => collectLines(auditLog, event), {
  auditLog: auditLogFromEnvironment,
});

type Event = Parameters<typeof collectLines>[1];

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
