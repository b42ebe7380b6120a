import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { trailInFolder } from '#infra/admin/audit-trail';
import { accountFindings } from '#infra/admin/doctor/accounts';
import { auditLines } from '#infra/admin/doctor/audit-lines';
import * as checks from '#infra/admin/doctor/checks';
import type { LogLine } from '#lib/audit/audit-log';
import { collectLines, type SubscriptionEvent } from '#lib/audit/collect';
import { outboxKey } from '#lib/table/keys';
import { put, remove } from '#lib/table/write';
import { isoOf } from '#lib/time';
import { listen } from '../../../infra/local/machine/listen.ts';
import { NAMES, OPERATORS_FILE } from '../../../infra/local/machine/resource-names.ts';
import { subscribeToAudit, subscriptionEvent } from '../../../infra/local/services/lambda/audit-lines.ts';
import { eventItem, NOON, storedPasskey } from '../support/items.ts';
import { openTestLogGroup } from '../support/log-groups.ts';
import { setAttributes } from '../support/set-attributes.ts';
import { openInstance } from './operator.ts';

const logs = await openTestLogGroup('the-audit-log');
const instance = await openInstance();
const { run, json, onStack, table, runtime, account, describeInstance } = instance;
let statusOf: (request: IncomingMessage) => number;
const service = await listen(
  createServer((request, response) => void response.writeHead(statusOf(request)).end('{}')),
);

/** The subscription of the audit log of an instance. */
const collect = (event: SubscriptionEvent) =>
  collectLines(
    {
      ...runtime,
      auditLog: { logGroupName: NAMES.auditLog, append: () => Promise.reject(new Error('A copy')) },
    },
    event,
  );
const SUPPORT = 'operators/support/commands';
let subscription: ReturnType<typeof subscribeToAudit>;
beforeEach(() => {
  statusOf = () => 401;
  const invoke = (_: string, event: unknown) => collect(event as SubscriptionEvent);
  subscription = subscribeToAudit({ invoke }, SUPPORT, join(instance.data, OPERATORS_FILE), undefined);
  logs.script((operation, input) => {
    const { logEvents = [] } = input as { readonly logEvents?: readonly LogLine[] };
    if (operation === 'PutLogEvents')
      void collect(
        subscriptionEvent(
          logEvents.map(({ message }) => message),
          { stream: SUPPORT },
        ),
      );
    return undefined;
  });
});
afterEach(() => subscription.close());
afterAll(() => service.close());

const settings = { BcryptCost: 11, Events: ['user_lock'] } as never;
const MINUTE = 60_000;
const event = (minutes: number, more: object = {}) => ({
  ...eventItem(1, { createdAt: NOON - minutes * MINUTE }),
  ...more,
});
const finding = (check: string, state: 'missing' | 'wrong' = 'missing') => ({ check, state, found: 'off' });
const failed = (name: string) => checks.unchecked('x', Object.assign(new Error('No'), { name }));
const at = (seconds: number) => new Date(NOON + seconds * 1000).toUTCString();

const BEHIND = 'DynamoDB: set the clock of this machine';
const ADVICE = '"events pending" shows why, "events publish" publishes them';
const GONE = 'was it deleted? Deploy the stack again';
const MEND = '"restore check --mend" adds it';
const COST = 'as stored hashes may have this cost: "account password-costs" counts them';
const late = event(6, { lastError: 'Denied' });

test.each<[string, () => ReturnType<typeof checks.clock>]>([
  ['ok: 0.1 s ahead of DynamoDB', () => checks.clock(at(0), NOON + 600)],
  ['ok: 30.0 s ahead of DynamoDB', () => checks.clock(at(0), NOON + 30_500)],
  [`wrong: 30.0 s ahead of ${BEHIND}`, () => checks.clock(at(0), NOON + 30_501)],
  [`wrong: 60.5 s behind ${BEHIND}`, () => checks.clock(at(60), NOON)],
  ['unknown: DynamoDB reports no time', () => checks.clock(undefined, NOON)],
  ['ok: 0 wait, 0 of them for more than 5 minutes, 0 dead-lettered', () => checks.events([], NOON)],
  ['ok: 1 wait, 0 of them for more than 5 minutes, 0 dead-lettered', () => checks.events([event(5)], NOON)],
  [
    `wrong: 2 wait, 1 of them for more than 5 minutes, 0 dead-lettered (Denied): ${ADVICE}`,
    () => checks.events([event(1), late], NOON),
  ],
  [
    `wrong: 1 wait, 1 of them for more than 5 minutes, 1 dead-lettered: ${ADVICE}`,
    () => checks.events([event(2000, { setAsideAt: NOON })], NOON),
  ],
  [`missing: off: ${MEND}`, () => checks.table(finding('index_GSI1'), true)],
  [`missing: off: ${MEND}`, () => checks.table(finding('deletion_protection'), false)],
  ['ok: off, as for all local tables', () => checks.table(finding('deletion_protection'), true)],
  ['wrong: off', () => checks.table(finding('deletion_protection', 'wrong'), true)],
  [
    'ok: BcryptCost 11, Events user_cancel,user_reactivate,user_erase,user_lock',
    () => checks.settings(settings),
  ],
  ['ok: logins take cost 11', () => checks.passwordCost(settings, undefined)],
  [`ok: logins take cost 12, ${COST}`, () => checks.passwordCost(settings, { cost: 12 })],
  ['ok: logins take cost 11', () => checks.passwordCost(settings, { cost: 10, imported: 0, sha1: 0 })],
  [`ok: logins take cost 11, ${COST}`, () => checks.passwordCost(settings, { cost: 11, imported: 4 })],
  [
    `ok: logins take cost 13 and 2000 rounds of PBKDF2-HMAC-SHA1 and 100000 rounds of PBKDF2-HMAC-SHA512, ${COST}`,
    () => checks.passwordCost(settings, { cost: 11, imported: 13, sha1: 2000, sha512: 100_000 }),
  ],
  [
    `wrong: cannot be checked: ResourceNotFoundException: No: ${GONE}`,
    () => failed('ResourceNotFoundException'),
  ],
  [`wrong: cannot be checked: table_not_found: No: ${GONE}`, () => failed('table_not_found')],
  [
    'wrong: cannot be checked: AccessDeniedException: No: infra/admin/permissions.md lists the permissions of the doctor',
    () => failed('AccessDeniedException'),
  ],
  ['wrong: cannot be checked: ECONNRESET: No', () => failed('ECONNRESET')],
  ['ok: answers, and refuses requests without a credential', () => checks.refusal('service', 401)],
  ['wrong: answers 503 to requests without a credential: see its log', () => checks.refusal('service', 503)],
  ['ok: answers, and refuses logins with an unknown name', () => checks.refusal('login', 401)],
  ['wrong: answers 503 to logins with an unknown name: see its log', () => checks.refusal('login', 503)],
  [
    'unknown: too many logins with an unknown name from the address of this machine',
    () => checks.refusal('login', 429),
  ],
  ['wrong: No: is it started? See its log', () => checks.refusal('service', new Error('No'))],
])('doctor reports %s', (expected, diagnose) => {
  const { state, found } = diagnose();
  expect(`${state}: ${found}`).toBe(expected);
});

const stateOf = (answer: readonly { check: string; state: string }[]) =>
  Object.fromEntries(answer.map(({ check, state }) => [check, state]));
const OK =
  `status key_schema billing_mode index_GSI1 index_GSI2 time_to_live deletion_protection signing_key other_signing_keys
    resource_key other_resource_keys erasure_key clock pending_events settings password_cost passkeys machines audit_lines service login`.split(
    /\s+/,
  );
const LOCAL = {
  ...Object.fromEntries(OK.map((check) => [check, 'ok'])),
  point_in_time_recovery: 'unknown',
};

test('doctor answers all checks of a healthy local instance, a line each', async () => {
  describeInstance({ url: service.url });
  const { code, answer } = await json(['doctor']);
  expect(code).toBe(0);
  expect(stateOf(answer)).toEqual(LOCAL);
  const { stdout } = await run(['doctor']);
  expect(stdout).toMatch(/^ok {7}status {18}ACTIVE$/m);
  expect(stdout.trim().split('\n')).toHaveLength(Object.keys(LOCAL).length);
});

test('doctor exits with 1 and names each fault', async () => {
  const oldest = event(0, { createdAt: Date.now() - 6 * MINUTE, lastError: 'Denied' });
  await put(table, outboxKey(oldest.id), { ...oldest, detail: '{}' });
  const exit = await json(['doctor']);
  await remove(table, outboxKey(oldest.id));
  const errors = [
    { field: 'pending_events', message: expect.stringContaining('(Denied)') },
    { field: 'service', message: expect.stringMatching(/^bad port: is it started\?/) },
    { field: 'login', message: expect.stringMatching(/^bad port: is it started\?/) },
  ];
  const answer = { code: 'unhealthy', message: '3 of 22 checks found a fault', errors };
  expect(exit).toEqual({ code: 1, answer });
});

test.each([
  ['reads no credential', 401, 503, 'login'],
  ['logs in', 503, 401, 'service'],
])('doctor finds the fault of a service that only %s', async (_, ofPing, ofLogin, check) => {
  statusOf = ({ url }) => (url?.endsWith('/login') ? ofLogin : ofPing);
  describeInstance({ url: service.url });
  const errors = [{ field: check, message: expect.stringContaining('answers 503') }];
  expect((await json(['doctor'])).answer).toMatchObject({ code: 'unhealthy', errors });
});

test('doctor continues when a check of a stack fails', async () => {
  Object.assign(instance.outputs, { SigningKeySecretId: 'gone' });
  const { code, stdout } = await onStack(['doctor']);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^missing {2}deletion_protection +off: "restore check --mend" adds it$/m);
  expect(stdout).toMatch(
    /^wrong {4}signing_key +cannot be checked: .*: was it deleted\? Deploy the stack again$/m,
  );
  expect(stdout).toMatch(/^ok {7}settings +BcryptCost 10, Events user_cancel,user_reactivate,user_erase$/m);
});

const passkeysFound = async (args: readonly string[]) =>
  ((await json([...args, 'doctor'])).answer as { check: string; state: string; found: string }[]).find(
    ({ check }) => check === 'passkeys',
  );

test('doctor counts the accounts that have only passkeys of another domain', async () => {
  describeInstance({ url: service.url });
  const none = {
    state: 'ok',
    found: '0 of 0 accounts with passkeys have only some of another domain than localhost',
  };
  expect(await passkeysFound([])).toMatchObject(none);
  const [here, there, earlier, both] = [await account(), await account(), await account(), await account()];
  for (const each of [here, earlier, both]) await storedPasskey(table, each);
  const enrolment = { id: 'e', rp_id: 'old.example', created_at: 'then' };
  await setAttributes(table, there, { passkeys: { phone: 'a' }, enrolments: { a: enrolment } });
  const { passkeys = {}, enrolments = {} } = await instance.stored(both);
  await setAttributes(table, both, {
    passkeys: { ...passkeys, old: 'b' },
    enrolments: { ...enrolments, b: enrolment },
  });
  // An earlier version has enrolled it; its own item tells the domain.
  await setAttributes(table, earlier, { enrolments: undefined } as never);
  const advice = ': infra/aws/moved-domain.md has the steps of a move';
  const found = `1 of 4 accounts with passkeys has only some of another domain than localhost${advice}`;
  expect(await passkeysFound([])).toMatchObject({ state: 'ok', found });
  const { stdout } = await onStack(['doctor']);
  expect(stdout).toContain(found);
  Object.assign(instance.outputs, { PasskeyDomain: 'new.example' });
  expect((await onStack(['doctor'])).stdout).toContain('4 of 4 accounts with passkeys have only some of');
});

test('doctor counts the accounts whose passkeys may have been copied, and names the remedy', async () => {
  describeInstance({ url: service.url });
  const owner = await account();
  await storedPasskey(table, owner);
  const { passkeys = {} } = await instance.stored(owner);
  const counters_fell = { [passkeys['phone'] as string]: isoOf(NOON) };
  await setAttributes(table, owner, { counters_fell });
  expect(await passkeysFound([])).toMatchObject({
    state: 'unknown',
    found: expect.stringContaining(
      'the counter of a passkey fell in 1 account ("account list --counter-fell"): if no owner has reset the device, infra/admin/stolen.md, "An account"',
    ),
  });
});

test('doctor finds a line of an operator in the audit log of a stack, and in its table', async () => {
  const { stdout } = await onStack(['doctor']);
  expect(stdout).toMatch(/^ok {7}audit_lines +one line was in the table after \d+\.\d s$/m);
});

test('doctor finds the fault of a line that is in the audit log only', async () => {
  subscription.close();
  const audit = trailInFolder(instance.data, 'ada');
  const target = {
    audit,
    operator: 'operator:ada',
    actor: { by: 'operator:ada', requestId: 'of-the-doctor' },
  };
  expect(await auditLines({ ...target, runtime: { ...runtime, now: Date.now } as never }, 0)).toEqual({
    check: 'audit_lines',
    state: 'wrong',
    found: 'a line is not in the table after 0.0 s: infra/aws/monitoring/tickets.md, "audit-silent"',
  });
  expect(await audit.read({ action: 'admin doctor' })).toMatchObject([{ requestId: 'of-the-doctor' }]);
});

test('doctor says how many accounts it has read if the time is over', async () => {
  const time = { ms: 0 };
  const now = () => (time.ms += 10);
  for (const { found } of await accountFindings({ ...runtime, now }, 0))
    expect(found).toMatch(/^at least \d+ of .*; only \d+ accounts? were read/);
});
