import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { endpoint } from '#lib/handler/endpoint';
import { accountKey } from '#lib/table/keys';
import { get, getAll } from '#lib/table/read';
import { transact, update } from '#lib/table/write';
import { cancelled, DOWN, type Fault, type Script, THROTTLED } from '../../wire/dynamodb-proxy.ts';
import { call, OPEN, openEndpoints } from '../support/endpoints.ts';
import { logLines } from '../support/log-lines.ts';

const lines = logLines();
const { wire, caller } = await openEndpoints();
const { headers } = await caller();

beforeEach(() => {
  // Between two attempts the SDK and the service wait for a random time: here for none.
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const ADA = accountKey('ada');
const write = {
  Update: { Key: ADA, UpdateExpression: 'SET a = :a', ExpressionAttributeValues: { ':a': 1 } },
};
const reads = endpoint(OPEN, async (_request, { table }) => (await get(table, ADA)) ?? 'nothing');
const readsTwo = endpoint(
  OPEN,
  async (_request, { table }) => (await getAll(table, [ADA, accountKey('bob')])).length,
);
const updates = endpoint(OPEN, (_request, { table }) => update(table, write.Update));
const transacts = endpoint(OPEN, async (_request, { table }) => (await transact(table, [write])) ?? 'done');
const authenticates = endpoint({ ...OPEN, access: 'authenticated' }, () => 'verified');

/** The answer during an outage: when to try again, and no reason. */
const unavailable = (retryAfter: number) => ({
  status: 503,
  headers: { 'cache-control': 'no-store', 'retry-after': String(retryAfter) },
  payload: { success: false, data: { code: 'unavailable' } },
});
const exception = (name: string): Fault => ({
  status: 400,
  body: { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: name },
});
const neverProcessed: Script = (_operation, input) => ({
  status: 200,
  body: { Responses: {}, UnprocessedKeys: input['RequestItems'] },
});

test.each<[string, typeof reads, Script, retryAfter: number]>([
  ['a throttled read', reads, () => THROTTLED, 5],
  ['a throttled batch', readsTwo, () => THROTTLED, 5],
  ['a throttled write', updates, () => THROTTLED, 5],
  ['a throttled transaction', transacts, () => THROTTLED, 5],
  ['a throttled authentication', authenticates, () => THROTTLED, 5],
  ['RequestLimitExceeded', transacts, () => exception('RequestLimitExceeded'), 5],
  ['ThrottlingException', transacts, () => exception('ThrottlingException'), 5],
  ['ThrottledException', transacts, () => exception('ThrottledException'), 5],
  ['TransactionInProgressException', transacts, () => exception('TransactionInProgressException'), 5],
  ['transactions cancelled for ThrottlingError', transacts, () => cancelled('None', 'ThrottlingError'), 1],
  [
    'transactions cancelled for their throughput',
    transacts,
    () => cancelled('None', 'ProvisionedThroughputExceeded'),
    1,
  ],
  ['a batch that is never processed', readsTwo, neverProcessed, 1],
  ['an outage', reads, () => DOWN, 5],
  ['a read without an answer', reads, () => 'hang', 5],
])('the answer after %s is 503 and when to try again', async (_title, handler, script, retryAfter) => {
  wire.script(script);
  expect(await call(handler, { headers })).toMatchObject(unavailable(retryAfter));
  expect(lines).toMatchObject([
    { level: 'error', code: 'unavailable' },
    { level: 'info', status: 503 },
  ]);
});

test('the answer is 503 when DynamoDB cannot be reached', async () => {
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', 'http://127.0.0.1:1');
  const handler = endpoint(OPEN, (_request, { table }) => get(table, ADA));
  expect(await call(handler)).toMatchObject(unavailable(5));
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', wire.url);
});

test.each([
  ['read', reads, THROTTLED],
  ['transaction', transacts, cancelled('ThrottlingError')],
] as const)('a %s that is throttled once is repeated', async (_title, handler, fault) => {
  const faults = [fault];
  wire.script(() => faults.pop());
  expect((await call(handler)).status).toBe(200);
  expect(wire.commands).toHaveLength(2);
});

test('a transaction that is throttled is repeated seven times', async () => {
  wire.script(() => cancelled('ThrottlingError'));
  await call(transacts);
  expect(wire.commands).toHaveLength(8);
});

test('an invalid command is an internal failure', async () => {
  wire.script(() => exception('ValidationException'));
  const { status, code, headers } = await call(reads);
  expect([status, code, headers['retry-after']]).toEqual([500, 'internal', undefined]);
});

describe('a rule', () => {
  test('is answered with 503 before its function ends', async () => {
    const never = endpoint(OPEN, () => new Promise(() => undefined));
    expect(await call(never, {}, 600)).toMatchObject(unavailable(5));
    expect(lines[0]).toMatchObject({ code: 'unavailable', error: { name: 'TimeoutError' } });
  });

  test.each([
    ['is answered with 503 when less than half a second would be left', 530, 200, 503],
    ['has its answer when more is left', 3000, 200, 200],
    ['has its answer when it is given at once', 0, undefined, 200],
  ])('%s', async (_title, remainingMs, ms, status) => {
    const rule = endpoint(OPEN, () => (ms === undefined ? 'done' : sleep(ms, 'done')));
    expect((await call(rule, {}, remainingMs)).status).toBe(status);
  });
});
