import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import type { Contract } from '#lib/contract/contract';
import { endpoint } from '#lib/handler/endpoint';
import { accountKey } from '#lib/table/keys';
import { get, getAll } from '#lib/table/read';
import { transact, update } from '#lib/table/write';
import { cancelled, DOWN, THROTTLED } from '../../wire/dynamodb-proxy.ts';
import { call, openEndpoints } from '../support/endpoints.ts';
import { logLines } from '../support/log-lines.ts';

const lines = logLines();
const { wire, caller } = await openEndpoints();
const { headers } = await caller();

beforeEach(() => {
  // Between two attempts both the SDK and the service wait for a random part of a time: for none of it here.
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const OPEN = {
  id: 'test.open',
  summary: '',
  method: 'GET',
  path: '/test/open',
  access: 'public',
  needs: [],
  response: () => z.unknown(),
} as const satisfies Contract;

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

/** What is answered where the service is out of reach: when to try again, and nothing of why. */
const unavailable = (retryAfter: number) => ({
  status: 503,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'retry-after': String(retryAfter),
    'x-request-id': 'request-1',
  },
  payload: {
    success: false,
    message: 'The service is temporarily unavailable. Try again.',
    data: { code: 'unavailable' },
  },
});

const exception = (status: number, name: string) => ({
  status,
  body: { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: name },
});

describe('where DynamoDB throttles, the answer is 503 and when to try again:', () => {
  test.each([
    ['a read', reads, 'GetItem'],
    ['a batch', readsTwo, 'BatchGetItem'],
    ['a write', updates, 'UpdateItem'],
    ['a transaction', transacts, 'TransactWriteItems'],
  ] as const)('%s', async (_name, handler, operation) => {
    wire.script((sent) => (sent === operation ? THROTTLED : undefined));
    expect(await call(handler)).toMatchObject(unavailable(5));
    expect(lines).toMatchObject([
      { level: 'error', code: 'unavailable', error: { name: 'ProvisionedThroughputExceededException' } },
      { level: 'info', status: 503 },
    ]);
  });

  test('the read that authenticates', async () => {
    wire.script((operation) => (operation === 'GetItem' ? THROTTLED : undefined));
    expect(await call(authenticates, { headers })).toMatchObject(unavailable(5));
  });

  test.each([
    'RequestLimitExceeded',
    'ThrottlingException',
    'ThrottledException',
    'TransactionInProgressException',
  ])('by the name of %s', async (name) => {
    wire.script(() => exception(400, name));
    expect(await call(transacts)).toMatchObject(unavailable(5));
  });

  test.each(['ThrottlingError', 'ProvisionedThroughputExceeded'])(
    'a transaction that it cancels for %s, again and again',
    async (reason) => {
      wire.script(() => cancelled('None', reason));
      expect(await call(transacts)).toMatchObject(unavailable(1));
      expect(wire.commands).toHaveLength(8);
    },
  );

  test('a batch that it never processes', async () => {
    wire.script((_operation, input) => ({
      status: 200,
      body: { Responses: {}, UnprocessedKeys: input['RequestItems'] },
    }));
    expect(await call(readsTwo)).toMatchObject(unavailable(1));
  });
});

test.each([
  ['read', reads, THROTTLED],
  ['transaction', transacts, cancelled('ThrottlingError')],
] as const)('a %s that is throttled once is made again', async (_name, handler, fault) => {
  const faults = [fault];
  wire.script(() => faults.pop());
  expect((await call(handler)).status).toBe(200);
  expect(wire.commands).toHaveLength(2);
});

describe('the answer is 503 as well where DynamoDB', () => {
  test('is down', async () => {
    wire.script(() => DOWN);
    expect(await call(reads)).toMatchObject(unavailable(5));
  });

  test('does not answer', async () => {
    wire.script(() => 'hang');
    expect(await call(reads)).toMatchObject(unavailable(5));
  });

  test('cannot be reached', async () => {
    vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', 'http://127.0.0.1:1');
    expect(await call(endpoint(OPEN, async (_request, { table }) => get(table, ADA)))).toMatchObject(
      unavailable(5),
    );
    vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', wire.url);
  });
});

test('what DynamoDB refuses because it was asked wrongly is internal', async () => {
  wire.script(() => exception(400, 'ValidationException'));
  const { status, code, headers } = await call(reads);
  expect([status, code, headers['retry-after']]).toEqual([500, 'internal', undefined]);
});

describe('a rule', () => {
  test('that does not end is answered with 503 before its function is ended', async () => {
    const never = endpoint(OPEN, () => new Promise(() => undefined));
    expect(await call(never, {}, 600)).toMatchObject(unavailable(5));
    expect(lines).toMatchObject([
      { level: 'error', function: 'test.open', code: 'unavailable', error: { name: 'TimeoutError' } },
      { level: 'info', status: 503 },
    ]);
  });

  test.each([
    ['is answered with 503 where less than half a second would be left', 530, 503],
    ['gives the answer where more is left', 3000, 200],
  ])('that takes a while %s', async (_name, remainingMs, status) => {
    const slow = endpoint(OPEN, () => sleep(200, 'done'));
    expect((await call(slow, {}, remainingMs)).status).toBe(status);
  });

  test('that answers at once is never too late', async () => {
    expect(
      (
        await call(
          endpoint(OPEN, () => 'done'),
          {},
          0,
        )
      ).status,
    ).toBe(200);
  });
});
