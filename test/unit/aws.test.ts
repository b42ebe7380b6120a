import { createServer } from 'node:http';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { isOutage } from '#lib/aws';
import { cursorSecretKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { openTable } from '#lib/table/table';
import type { Fault } from '../wire/dynamodb-proxy.ts';
import { openTestTable } from './support/engine.ts';

const { table, wire, operations } = await openTestTable();

beforeEach(() => {
  // Waits between attempts are as short as they can be.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  return () => vi.restoreAllMocks();
});

/** What a command throws that meets a fault every time. */
function errorFrom(fault: Fault): Promise<unknown> {
  wire.script(() => fault);
  return get(table, cursorSecretKey).catch((error: unknown) => error);
}

const exception = (status: number, name: string): Fault => ({
  status,
  body: { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: name },
});

const THREE_ATTEMPTS = ['GetItem', 'GetItem', 'GetItem'];

describe('it is an outage, after three attempts, that AWS', () => {
  test.each([
    'ProvisionedThroughputExceededException',
    'RequestLimitExceeded',
    'ThrottlingException',
    'ThrottledException',
    'TransactionInProgressException',
  ])('throttles with %s', async (name) => {
    const error = await errorFrom(exception(400, name));
    expect([(error as Error).name, isOutage(error)]).toEqual([name, true]);
    expect(operations()).toEqual(THREE_ATTEMPTS);
  });

  test.each([500, 502, 503, 504])('answers with the status %i', async (status) => {
    expect(isOutage(await errorFrom(exception(status, 'SomethingServerError')))).toBe(true);
    expect(operations()).toEqual(THREE_ATTEMPTS);
  });

  test('does not answer in time', async () => {
    const error = await errorFrom('hang');
    expect([(error as Error).name, isOutage(error)]).toEqual(['TimeoutError', true]);
    expect(operations()).toEqual(THREE_ATTEMPTS);
  });

  test('closes the connection', async () => {
    const error = await errorFrom('lose');
    expect([(error as { code?: string }).code, isOutage(error)]).toEqual(['ECONNRESET', true]);
    expect(operations()).toEqual(THREE_ATTEMPTS);
  });

  test('is not there', async () => {
    const gone = createServer().listen(0, '127.0.0.1');
    await vi.waitUntil(() => gone.listening);
    const { port } = gone.address() as { port: number };
    await new Promise((closed) => gone.close(closed));
    const error = await get(openTable('t', `http://127.0.0.1:${port}`), cursorSecretKey).catch(
      (thrown: unknown) => thrown,
    );
    expect([(error as { code?: string }).code, isOutage(error)]).toEqual(['ECONNREFUSED', true]);
  });
});

describe('it is no outage that AWS', () => {
  test.each([
    [400, 'ValidationException'],
    [400, 'ConditionalCheckFailedException'],
    [400, 'ResourceNotFoundException'],
    [403, 'AccessDeniedException'],
    [499, 'SomethingClientError'],
  ])('refuses what it is asked: %i %s', async (status, name) => {
    expect(isOutage(await errorFrom(exception(status, name)))).toBe(false);
    expect(operations()).toEqual(['GetItem']);
  });
});

const withCode = (code: unknown) => Object.assign(new Error(), { code });

test.each([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ERR',
])('the operating system tells of an outage: %s', (code) => {
  expect(isOutage(withCode(code))).toBe(true);
});

test.each([
  'ERR_INVALID_ARG_TYPE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'E',
  'ECONN refused',
  'not ECONNREFUSED',
  'ECONNREFUSED!',
  'econnrefused',
  '',
  7,
  ['EPIPE'],
  undefined,
])('any other code is no outage: %j', (code) => {
  expect(isOutage(withCode(code))).toBe(false);
});

test.each([undefined, null, 'TimeoutError', { name: 'TimeoutError', $metadata: { httpStatusCode: 500 } }])(
  'what is no error is no outage: %j',
  (thrown) => {
    expect(isOutage(thrown)).toBe(false);
  },
);

test.each([{}, { $metadata: {} }, { $metadata: undefined }])('an error of one’s own is none: %j', (more) => {
  expect(isOutage(Object.assign(new TypeError('x'), more))).toBe(false);
});
