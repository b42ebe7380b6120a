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

test('collect copies each line with its own time, without a table', async () => {
  const [one, other] = ['{"level":"audit","actor":"ä"}\n', '{"level":"audit"}'];
  expect(await collect(sent([one, other]), invocation())).toBe(2);
  expect(logs.lines('functions')).toEqual([
    { timestamp: 1000, message: '{"level":"audit","actor":"ä"}' },
    { timestamp: 1001, message: '{"level":"audit"}' },
  ]);
});

test('collect ignores control messages', async () => {
  expect(await collect(sent(['CWL CONTROL MESSAGE'], 'CONTROL_MESSAGE'), invocation())).toBe(0);
  expect(logs.calls).toEqual([]);
});

test('collect fails, so that the lines are sent again, when a line is rejected', async () => {
  logs.script(() => ({ rejectedLogEventsInfo: { expiredLogEventEndIndex: 1 } }));
  await expect(collect(sent(['{}']), invocation())).rejects.toThrow('rejected');
  expect(lines).toMatchObject([{ level: 'error', function: 'audit.collect' }]);
});
