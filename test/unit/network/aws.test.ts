import { expect, test } from 'vitest';
import { CLIENT_LIMITS, isOutage } from '#lib/network/aws';
import { cursorSecretKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { openTable } from '#lib/table/table';
import { exception, type Fault } from '../../wire/dynamodb-proxy.ts';
import { openTestTable } from '../support/engine.ts';
import { PRODUCT_LIMITS } from '../support/limits.ts';
import { shortestWaits } from '../support/shortest-waits.ts';

const { table, wire, operations } = await openTestTable();

const requestHandler = { ...CLIENT_LIMITS.requestHandler, requestTimeout: 50 };
const hasty = openTable(table.name, wire.url, { ...CLIENT_LIMITS, requestHandler });

shortestWaits();

type SdkError = Error & { code?: string };
const errorOf = (on: typeof table): Promise<SdkError | undefined> =>
  get(on, cursorSecretKey).then(
    () => undefined,
    (error: SdkError) => error,
  );

const throttled = (name: string): [string, Fault] => [name, exception(400, name)];
const failed = (status: number): [string, Fault] => [`${status}`, exception(status, `${status}`)];

test.each<[string, Fault]>([
  throttled('ProvisionedThroughputExceededException'),
  throttled('RequestLimitExceeded'),
  throttled('ThrottlingException'),
  throttled('ThrottledException'),
  throttled('TransactionInProgressException'),
  ...[500, 502, 503, 504].map(failed),
  ['TimeoutError', 'hang'],
  ['ECONNRESET', 'lose'],
])('an outage, after three attempts, is %s', async (name, fault) => {
  wire.script(() => fault);
  const error = await errorOf(fault === 'hang' ? hasty : table);
  expect([error?.name, error?.code]).toContain(name);
  const message = name === 'TimeoutError' ? 'no answer within 50 ms$' : '\\S';
  expect(error?.message).toMatch(new RegExp(`^DynamoDB GetItem: ${message}`));
  expect(isOutage(error)).toBe(true);
  expect(operations()).toEqual(Array(CLIENT_LIMITS.maxAttempts).fill('GetItem'));
});

test('a call has three attempts of at most 1500 ms, and 1000 ms for a connection', () => {
  const { requestTimeout, connectionTimeout } = PRODUCT_LIMITS;
  expect([CLIENT_LIMITS.maxAttempts, requestTimeout, connectionTimeout]).toEqual([3, 1500, 1000]);
});

test.each([
  [400, 'ValidationException'],
  [400, 'ConditionalCheckFailedException'],
  [400, 'ResourceNotFoundException'],
  [403, 'AccessDeniedException'],
  [499, 'SomethingClientError'],
])('a refusal of AWS is no outage and has one attempt: %i %s', async (status, name) => {
  wire.script(() => exception(status, name));
  const error = await errorOf(table);
  expect([error?.message, isOutage(error)]).toEqual([`DynamoDB GetItem: ${name}`, false]);
  expect(operations()).toEqual(['GetItem']);
});

const withCode = (code: unknown) => Object.assign(new Error(), { code });
const OUTAGES = 'ECONNREFUSED ECONNRESET ENOTFOUND EAI_AGAIN EPIPE ETIMEDOUT EHOSTUNREACH ERR'.split(' ');
const OTHERS = 'ERR_INVALID_ARG_TYPE ERR_TLS_CERT_ALTNAME_INVALID E ECONNREFUSED! econnrefused'.split(' ');

test.each(OUTAGES)('an error with the code %s of the operating system is an outage', (code) => {
  expect(isOutage(withCode(code))).toBe(true);
});

test.each([...OTHERS, 'ECONN refused', 'not ECONNREFUSED', '', 7, ['EPIPE'], undefined])(
  'an error with the code %j is no outage',
  (code) => {
    expect(isOutage(withCode(code))).toBe(false);
  },
);

test.each([
  ...[undefined, null, 'TimeoutError', { name: 'TimeoutError', $metadata: { httpStatusCode: 500 } }],
  ...[{}, { $metadata: {} }, { $metadata: undefined }].map((more) => Object.assign(new TypeError('x'), more)),
])('an error that no answer of AWS caused is no outage: %j', (thrown) => {
  expect(isOutage(thrown)).toBe(false);
});
