import { gunzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { auditLogFromEnvironment } from '#lib/audit/audit-log';
import { browseAudit } from '#lib/audit/browse';
import { collectLines } from '#lib/audit/collect';
import { ARRIVED } from '#lib/audit/heartbeat';
import { collectAudit } from '#lib/audit/jobs';
import { AUDIT_FIELDS } from '#lib/audit/line';
import { REFUSED } from '#lib/audit/store';
import { VERIFIED } from '#lib/audit/streams';
import { job } from '#lib/handler/job';
import { KEY_DIFFERS, writeCheck } from '#lib/pseudonym/erasure-key';
import { nameHashFromEnvironment } from '#lib/pseudonym/name-hash';
import { auditKey, erasureKeyCheckKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { remove } from '#lib/table/write';
import { DAY_MS } from '#lib/time';
import { subscriptionEvent as sent } from '../../../infra/local/services/lambda/audit-lines.ts';
import { DOWN, type Fault } from '../../wire/dynamodb-proxy.ts';
import { invocation, openEndpoints } from '../support/endpoints.ts';
import { hashName } from '../support/engine.ts';
import { openTestLogGroup } from '../support/log-groups.ts';
import { logLines } from '../support/log-lines.ts';
import { openTestSecrets } from '../support/secrets.ts';
import { shortestWaits } from '../support/shortest-waits.ts';
import { failing } from '../table/inputs.ts';

const AUDIT_LOG = 'the-audit-log';
const logs = await openTestLogGroup(AUDIT_LOG);
vi.stubEnv('AUDIT_LOG_GROUP_NAME', AUDIT_LOG);
const { table, wire, runtime, operations } = await openEndpoints();
const lines = logLines();
shortestWaits();

const handler = job(
  collectAudit,
  (event: Parameters<typeof collectLines>[1], own) => collectLines({ ...own, now: runtime.now }, event),
  { auditLog: auditLogFromEnvironment, hashName: () => hashName },
);
/** Name of a log stream of a function, as Lambda chooses it. */
const streamOf = (name: string, environment = '0f2b6c9e') =>
  `2026/11/20/test-${name.replace('.', '-')}[$LATEST]${environment}`;
const collect = (all: readonly string[], logGroup = 'functions', stream = streamOf('account.lock')) =>
  handler(sent(all, { logGroup, stream }), invocation());

/** A line of the nth second since 11:00, about a target of the test. */
const line = (n: number, target: unknown = expect.getState().currentTestName, more: object = {}) =>
  JSON.stringify({
    level: 'audit',
    time: new Date(Date.UTC(2026, 10, 20, 11, 0, n)).toISOString(),
    action: 'account.lock',
    target,
    outcome: 'ok',
    ...more,
  });
const many = (count: number) => Array.from({ length: count }, (_, n) => line(n));
const stored = async (target = expect.getState().currentTestName as string) =>
  (await browseAudit(runtime, { target })).items.length;

test('collect copies each line with its own time to the audit log, then its entry to the table', async () => {
  const text = line(1, 'Ci@Ada', { account: 'Ada' });
  const dated = '{"time":"2026-11-20","action":"account.lock"}';
  const noEntries = ['{"time":"yesterday","action":"account.lock"}', dated, line(2, 7)];
  const noSubject = line(3, 'x', { account: 7 });
  expect(await collect([`${text}\n`, ...noEntries, noSubject])).toBe(5);
  expect(logs.lines(VERIFIED)).toMatchObject([
    { message: text },
    ...[...noEntries, noSubject].map((message) => ({ message })),
  ]);
  const { PK, SK } = auditKey('2026-11-20T11:00:01.000Z', text);
  const nothing = Object.fromEntries(AUDIT_FIELDS.map((name) => [name, null]));
  const { level: _, account: __, ...entry } = JSON.parse(text);
  const ttl = (Date.parse(entry.time) + 90 * DAY_MS) / 1000;
  const index = { GSI1PK: 'TARGETS#ada', GSI1SK: SK };
  expect(await get(table, { PK, SK })).toEqual({ PK, SK, ...index, ...nothing, ...entry, ttl });
  expect(operations().filter((one) => one === 'BatchWriteItem')).toHaveLength(1);
  expect(await get(table, auditKey('2026-11-20', dated))).toBeUndefined();
});

const deep = (levels: number): unknown => (levels === 0 ? 'x' : { a: deep(levels - 1) });

test.each<[string, object]>([
  ['a field of an entry is no text', { actor: { a: 1 } }],
  ['`changed` is neither true, false nor null', { changed: 'yes' }],
  ['details are no object', { details: 'x' }],
  ['details are deep', { details: deep(40) }],
  ['details are large', { details: { a: 'x'.repeat(500_000) } }],
  ['details have a number that the table cannot store', { details: { a: 2 ** 60 } }],
  ['the target is longer than a key', { target: 'x'.repeat(3000) }],
  ['the account is longer than a key', { account: 'x'.repeat(3000) }],
  ['the time sorts before all others', { time: '+010000-01-01T00:00:00.000Z' }],
])('collect stores the other lines, and warns without content, when %s', async (_, more) => {
  const bad = line(1, 'ada', { requestId: 'the-request', ...more });
  expect(await collect([line(0), bad, line(2)])).toBe(3);
  expect([await stored(), logs.lines(VERIFIED)?.length]).toEqual([2, 3]);
  expect(lines).toEqual([{ level: 'warn', message: REFUSED, count: 1 }]);
});

test('collect stores the other lines, and warns once, when the table refuses some', async () => {
  const refused = [7, 30, 31].map((n) => `${new Date(Date.UTC(2026, 10, 20, 11, 0, n)).toISOString()}#`);
  const invalid = { status: 400, body: { __type: 'x#ValidationException', message: 'No' } };
  wire.script((operation, input) =>
    operation === 'BatchWriteItem' && refused.some((time) => JSON.stringify(input).includes(time))
      ? invalid
      : undefined,
  );
  await collect(many(60));
  expect(await stored()).toBe(57);
  expect(lines).toEqual([{ level: 'warn', message: REFUSED, count: 3 }]);
});

const FORGED = { actor: 'operator:administrator', action: 'admin account erase', changed: true };

test.each<[string, string, object]>([
  ['a command', streamOf('system.ping'), FORGED],
  ['an operator', streamOf('account.lock'), { actor: 'Operator:administrator' }],
  ['another function', streamOf('system.ping'), {}],
  ['no function', 'own', {}],
  ['a name around its own', `${streamOf('account.lock')}/test-system-ping[x`, {}],
  ['a function of another instance', streamOf('account.lock').replace('test-', 'other-'), {}],
])('collect refuses a line of %s, counts it and keeps the others', async (_, stream, more) => {
  const [noun, verb] = /test-(\w+)-(\w+)\[/.exec(stream)?.slice(1) ?? [];
  const others = [line(1, undefined, { action: `${noun}.${verb}` })];
  const isKnown = /\d\/test-[\w-]+\[[^/]+$/.test(stream);
  expect(await collect([line(0, undefined, more), ...others], 'functions', stream)).toBe(2);
  expect(await stored()).toBe(isKnown ? 1 : 0);
  expect(logs.lines(VERIFIED)?.map(({ message }) => message) ?? []).toEqual(isKnown ? others : []);
  expect(lines).toEqual([{ level: 'warn', message: REFUSED, count: isKnown ? 1 : 2, logStream: stream }]);
});

test('collect stores nothing with another erasure key, loses no line, and stores all when it has the right one', async () => {
  const secrets = await openTestSecrets();
  const secret = await secrets.create('another key');
  vi.stubEnv('ERASURE_KEY_SECRET_ID', secret);
  await writeCheck(table, 'key');
  const comparing = job(
    collectAudit,
    (event: Parameters<typeof collectLines>[1], own) => collectLines({ ...own, now: runtime.now }, event),
    {
      auditLog: auditLogFromEnvironment,
      hashName: nameHashFromEnvironment,
    },
  );
  const event = sent([line(0, undefined, { actor: 'bob' })], {
    logGroup: 'functions',
    stream: streamOf('account.lock'),
  });
  await expect(comparing(event, invocation())).rejects.toThrow('unavailable');
  // The audit log has the line; Lambda sends it again, then keeps it.
  expect([logs.lines(VERIFIED)?.length, await stored()]).toEqual([1, 0]);
  expect(lines.filter(({ code }) => code)).toMatchObject([{ level: 'error', code: KEY_DIFFERS }]);
  await secrets.put(secret, 'key');
  await comparing(event, invocation());
  expect(await stored()).toBe(1);
  await remove(table, erasureKeyCheckKey);
});

test('collect copies lines of the audit log to the table only', async () => {
  await collect(many(2), AUDIT_LOG, VERIFIED);
  expect([await stored(), logs.calls]).toEqual([2, []]);
});

test('collect takes the actor of a command from its stream, and keeps the one that the line names as a claim', async () => {
  const forged = line(0, undefined, {
    actor: 'admin',
    credential: 'laptop',
    details: { claimed_by: 'x', until: null },
  });
  await collect([forged], AUDIT_LOG, 'operators/support/commands');
  const target = expect.getState().currentTestName as string;
  expect((await browseAudit(runtime, { actor: 'operator:support', target })).items).toMatchObject([
    { actor: 'operator:support', credential: null, details: { claimed_by: 'admin', until: null } },
  ]);
});

test('collect keeps the entry of a function when an operator writes the same line', async () => {
  const text = line(1, undefined, { actor: 'admin' });
  await collect([text]);
  await collect([text], AUDIT_LOG, 'operators/support/commands');
  const { items } = await browseAudit(runtime, { target: expect.getState().currentTestName as string });
  expect(items.map(({ actor }) => actor).sort()).toEqual(['admin', 'operator:support']);
});

test('collect takes the actor of a command of an earlier version from its line', async () => {
  await collect([line(0, undefined, { actor: 'arn:alice' })], AUDIT_LOG, 'operators');
  const { items } = await browseAudit(runtime, { target: expect.getState().currentTestName as string });
  expect(items).toMatchObject([{ actor: 'arn:alice', details: null }]);
});

test('collect stores a line once that it gets twice', async () => {
  const twice = [...many(2), ...many(2)];
  for (let n = 0; n < 2; n++) await collect(twice);
  expect([await stored(), logs.lines(VERIFIED)?.length]).toEqual([2, 8]);
});

test('collect stores no entry that is older than the table keeps them', async () => {
  const all = [line(3600 - 90 * 86_400), line(0)];
  await collect(all);
  const found = await Promise.all(all.map((text) => get(table, auditKey(JSON.parse(text).time, text))));
  expect(found.map(Boolean)).toEqual([false, true]);
});

const PROBE = streamOf('monitoring.probe');
const beat = (more: object = {}) => JSON.stringify({ level: 'audit', action: 'monitoring.probe', ...more });

test('collect logs the age of the line of the probe, and stores it nowhere', async () => {
  const { awslogs } = sent([beat()], { logGroup: 'functions', stream: PROBE });
  const { logEvents } = JSON.parse(`${gunzipSync(Buffer.from(awslogs.data, 'base64'))}`);
  const now = () => logEvents[0].timestamp + 7000;
  const auditLog = auditLogFromEnvironment();
  expect(await collectLines({ ...runtime, now, hashName, auditLog }, { awslogs })).toBe(1);
  const arrived = { level: 'info', function: 'audit.collect', message: ARRIVED, auditAgeSeconds: 7 };
  expect([lines, logs.calls, operations()]).toEqual([[arrived], [], []]);
});

test('collect takes no entry from the probe, whatever its role writes, and no line of the probe from others', async () => {
  const target = expect.getState().currentTestName as string;
  await collect(
    [beat({ time: '2026-11-20T11:00:00.000Z', target, outcome: 'ok', actor: 'ada' })],
    'functions',
    PROBE,
  );
  await collect([beat()]);
  expect([await stored(), logs.calls]).toEqual([0, []]);
  expect(lines).toMatchObject([{ message: ARRIVED }, { message: REFUSED, count: 1 }]);
});

test('collect ignores control messages', async () => {
  expect(await handler(sent(['CWL CONTROL MESSAGE'], { messageType: 'CONTROL_MESSAGE' }), invocation())).toBe(
    0,
  );
  expect([logs.calls, operations()]).toEqual([[], []]);
});

test('collect fails and stores nothing when the audit log rejects a line', async () => {
  logs.script(() => ({ rejectedLogEventsInfo: { expiredLogEventEndIndex: 1 } }));
  await expect(collect(many(1))).rejects.toThrow('expiredLogEventEndIndex');
  expect(operations()).toEqual([]);
  expect(lines).toMatchObject([{ level: 'error', function: 'audit.collect' }]);
});

/** DynamoDB carries out the first put of each batch only. */
const firstOnly = (_: string, { RequestItems, ...input }: Record<string, unknown>): Fault => {
  const [[name, [first, ...others]]] = Object.entries(RequestItems as object) as [[string, object[]]];
  const left = others.length > 0 ? { [name]: others } : {};
  return {
    input: { ...input, RequestItems: { [name]: [first] } },
    answer: (body) => ({ ...body, UnprocessedItems: left }),
  };
};

test.each([
  ['leaves puts unprocessed', firstOnly],
  ['is down for some calls', failing(DOWN, 20)],
])('collect stores every entry when DynamoDB %s', async (_, script) => {
  wire.script((operation, input) => (operation === 'BatchWriteItem' ? script(operation, input) : undefined));
  await collect(many(60));
  expect(await stored()).toBe(60);
});

test('collect fails when DynamoDB refuses a batch, and stores every entry when the lines are sent again', async () => {
  let calls = 0;
  const denied = { status: 400, body: { __type: 'x#AccessDeniedException', message: 'No' } };
  wire.script(() => (calls++ === 1 ? denied : undefined));
  await expect(collect(many(60))).rejects.toThrow('No');
  wire.reset();
  await collect(many(60));
  expect(await stored()).toBe(60);
});
