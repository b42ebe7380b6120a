import { expect, test, vi } from 'vitest';
import { auditLogFromEnvironment } from '#lib/audit/audit-log';
import { browseAudit } from '#lib/audit/browse';
import { refillAudit } from '#lib/audit/jobs';
import { auditLinesFromEnvironment, functionLogFromEnvironment } from '#lib/audit/log-reader';
import { type RefillRequest, refill } from '#lib/audit/refill';
import { REFUSED } from '#lib/audit/store';
import { VERIFIED } from '#lib/audit/streams';
import { JOB_PAGES_MS } from '#lib/contract/contract';
import { job } from '#lib/handler/job';
import { pseudonymOf } from '#lib/item/erasure';
import { erasedNameKey } from '#lib/table/keys';
import { put } from '#lib/table/write';
import { invocation, openEndpoints } from '../support/endpoints.ts';
import { hashName } from '../support/engine.ts';
import { openTestLogGroup } from '../support/log-groups.ts';
import { logLines } from '../support/log-lines.ts';

const AUDIT_LOG = 'the-audit-log';
const FUNCTION_LOG = 'functions-of-the-stack';
const logs = await openTestLogGroup(AUDIT_LOG);
vi.stubEnv('AUDIT_LOG_GROUP_NAME', AUDIT_LOG);
vi.stubEnv('FUNCTION_LOG_GROUP_NAME', FUNCTION_LOG);
const { table, runtime } = await openEndpoints();
const warnings = logLines();

let clock = () => runtime.now();
const handler = job(refillAudit, (request: RefillRequest, own) => refill({ ...own, now: clock }, request), {
  auditLog: auditLogFromEnvironment,
  auditLines: auditLinesFromEnvironment,
  functionLog: functionLogFromEnvironment,
  hashName: () => hashName,
});

const START = Date.UTC(2026, 10, 20, 11);
const EVER = { since: START - 1000, until: START + 3_600_000 };
const ask = (source: RefillRequest['source'] = 'functions', more: object = {}) =>
  handler({ ...EVER, source, ...more }, invocation());

const streamOf = (id: string) => `2026/11/20/test-${id.replace('.', '-')}[$LATEST]0f2b6c9e`;
const OPERATORS = 'operators/support/commands';
const nameOfTest = () => expect.getState().currentTestName as string;

/** The line of the nth second, about a target of the test. */
function line(n: number, more: object = {}) {
  const timestamp = START + n * 1000;
  const time = new Date(timestamp).toISOString();
  const entry = { time, action: 'account.lock', target: nameOfTest(), outcome: 'ok', ...more };
  return { timestamp, message: JSON.stringify({ level: 'audit', ...entry }) };
}
const listed = async () => (await browseAudit(runtime, { target: nameOfTest() })).items;

test('refill adds what the audit log lacks, with its own time, and a second run adds nothing', async () => {
  const all = [0, 1, 2, 3, 4].map((n) => line(n));
  logs.fill(
    FUNCTION_LOG,
    streamOf('account.lock'),
    all.map((one) => ({ ...one, message: `${one.message}\n` })),
  );
  logs.fill(AUDIT_LOG, VERIFIED, all.slice(1, 3));
  expect(await ask()).toEqual({ read: 5, added: 3, refused: 0 });
  const byTime = (logs.lines(VERIFIED) ?? []).toSorted((one, other) => one.timestamp - other.timestamp);
  expect(byTime).toEqual(all);
  // Those that the audit log had are in the table as well.
  expect(await listed()).toHaveLength(5);
  expect(await ask()).toEqual({ read: 5, added: 0, refused: 0 });
  expect([logs.lines(VERIFIED)?.length, (await listed()).length]).toEqual([5, 5]);
});

test('refill takes the lines of the period only', async () => {
  logs.fill(
    FUNCTION_LOG,
    streamOf('account.lock'),
    [0, 1, 2].map((n) => line(n)),
  );
  const period = { since: START + 1000, until: START + 1000 };
  expect(await ask('functions', period)).toMatchObject({ read: 1, added: 1 });
});

test.each<[string, string, object]>([
  ['a command', streamOf('account.lock'), { action: 'admin account erase' }],
  ['an operator', streamOf('account.lock'), { actor: 'operator:administrator' }],
  ['another function', streamOf('system.ping'), {}],
  ['no function', 'own', {}],
])('refill refuses a line of %s, and counts it as the collector does', async (_, stream, more) => {
  logs.fill(FUNCTION_LOG, stream, [line(0, more)]);
  expect(await ask()).toEqual({ read: 1, added: 0, refused: 1 });
  expect([logs.lines(VERIFIED), await listed()]).toEqual([undefined, []]);
  expect(warnings).toEqual([{ level: 'warn', message: REFUSED, count: 1, logStream: stream }]);
});

test('refill counts a line that is no entry, and leaves out those of the probe', async () => {
  logs.fill(FUNCTION_LOG, streamOf('account.lock'), [line(0, { target: 7 })]);
  logs.fill(FUNCTION_LOG, streamOf('monitoring.probe'), [line(1, { action: 'monitoring.probe' })]);
  expect(await ask()).toEqual({ read: 2, added: 1, refused: 1 });
});

test('refill gives those who were erased in between their pseudonyms', async () => {
  const id = '0199a1b2-0000-7000-8000-000000000001';
  const username = nameOfTest();
  const erased = { erased_id: id, erased_at: '2026-11-20T12:00:00.000Z', erased_by: 'admin' };
  await put(table, erasedNameKey(await hashName(username)), erased);
  logs.fill(FUNCTION_LOG, streamOf('account.lock'), [line(0)]);
  expect(await ask()).toMatchObject({ added: 1 });
  expect(await listed()).toEqual([]);
  const { items } = await browseAudit(runtime, { target: pseudonymOf(id) });
  expect(items).toMatchObject([{ action: 'account.lock' }]);
});

test('refill copies lines of operators from the audit log to the table', async () => {
  logs.fill(AUDIT_LOG, OPERATORS, [line(0, { action: 'admin account unlock', actor: 'arn:ada' })]);
  expect(await ask('operators')).toEqual({ read: 1, added: 0, refused: 0 });
  expect(await listed()).toMatchObject([{ action: 'admin account unlock', actor: 'operator:support' }]);
  expect(logs.operations()).toEqual(['FilterLogEvents']);
});

test('refill stops when its time is over, and continues with the next request', async () => {
  logs.fill(
    FUNCTION_LOG,
    streamOf('account.lock'),
    [0, 1, 2].map((n) => line(n)),
  );
  let now = runtime.now();
  clock = () => (now += JOB_PAGES_MS);
  const first = await ask();
  expect(first).toEqual({ read: 2, added: 2, refused: 0, next: expect.any(String) });
  expect(await ask('functions', { next: first.next })).toMatchObject({ read: 1, added: 1 });
  clock = () => runtime.now();
});
