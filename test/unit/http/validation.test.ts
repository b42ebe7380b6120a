import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { Contract } from '#lib/contract/contract';
import type { GatewayEvent } from '#lib/contract/gateway-event';
import { validation } from '#lib/http/validation';
import { refusal } from '../support/code-of.ts';
import { uuidOf } from '../support/items.ts';
import { requestContext, step } from '../support/request-context.ts';

/** The input after the middleware. */
const meet = (contract: Partial<Contract>, event: Partial<GatewayEvent>, body?: unknown) => {
  const context = requestContext(event, { body });
  step(validation(contract as Contract), 'before', context);
  return context.input;
};
const flag = () => z.object({ flag: z.pipe(z.enum(['0', '1']), z.transform(Number)) });
const invalid = (...fields: string[]) => ({ code: 'invalid_request', fields });

test('an endpoint without shapes has no parameters, no query, no headers and no body', () => {
  const part = { pathParameters: { a: '1' }, queryStringParameters: { ptoken: 'x' }, headers: { b: '2' } };
  const nothing = { params: {}, query: {}, headers: {}, body: undefined };
  expect(meet({}, part, 'text')).toStrictEqual(nothing);
  expect(meet({}, {})).toStrictEqual(nothing);
});

test('an endpoint has the output of its shapes', () => {
  const contract = { params: flag, query: flag, body: flag, requestHeaders: flag };
  const part = {
    pathParameters: { flag: '1', x: 'y' },
    queryStringParameters: { flag: '0' },
    headers: { flag: '0' },
  };
  const expected = { params: { flag: 1 }, query: { flag: 0 }, body: { flag: 1 }, headers: { flag: 0 } };
  expect(meet(contract, part, { flag: '1' })).toEqual(expected);
});

test.each<[string, Partial<Contract>]>([
  ['without a shape', {}],
  ['with a shape', { query: () => z.strictObject({ flag: z.optional(z.string()) }) }],
])('a query %s is refused with the names of its unknown parameters', (_title, contract) => {
  const queryStringParameters = { flags: '1', 'a b': '', ptoken: 'x', cst_0123456789: '' };
  const unknown = ['flags', 'a b', '[redacted]'];
  const errors = unknown.map((field) => ({ field, message: 'Unknown parameter' }));
  expect(() => meet(contract, { queryStringParameters })).toThrow(expect.objectContaining({ errors }));
});

test('a known parameter that is repeated is refused', () => {
  const part = { rawQueryString: 'flag=0&x=1&%66lag=1', queryStringParameters: { flag: '0,1', x: '1' } };
  const errors = [{ field: 'flag', message: 'Must be sent once' }];
  expect(() => meet({ query: flag }, part)).toThrow(expect.objectContaining({ errors }));
  expect(meet({ query: () => z.looseObject({}) }, part)?.query).toEqual(part.queryStringParameters);
});

test.each(['flag=%FF', 'flag=1&x=%c3%28', 'flag=%ED%A0%80', '%80=1'])(
  'a query whose bytes are not UTF-8 is refused: %s',
  (rawQueryString) => {
    const part = { rawQueryString, queryStringParameters: { flag: '1' } };
    expect(refusal(() => meet({ query: flag }, part))).toEqual(invalid('query'));
  },
);

test.each(['flag=1&ptoken=100%', 'flag=1&ptoken=%zz+%C3%A4'])('a query of UTF-8 is accepted: %s', (raw) => {
  const part = { rawQueryString: raw, queryStringParameters: { flag: '1' } };
  expect(refusal(() => meet({ query: flag }, part))).toBeUndefined();
});

test('a page for people ignores parameters of others', () => {
  expect(meet({ forPeople: true }, { queryStringParameters: { utm: '1' } })?.query).toEqual({});
});

test.each<[string, Partial<Contract>, absent: string]>([
  ['parameters', { params: flag }, 'flag'],
  ['query', { query: flag }, 'flag'],
  ['body', { body: flag }, 'body'],
])('invalid or absent %s are refused by their fields', (_title, contract, absent) => {
  const wrong = { flag: '2' };
  const part = { pathParameters: wrong, queryStringParameters: wrong };
  expect(refusal(() => meet(contract, part, wrong))).toEqual(invalid('flag'));
  expect(refusal(() => meet(contract, {}))).toEqual(invalid(absent));
});

test.each<[string, Record<string, string>, string[]]>([
  ['an ID alone', { 'x-batch': uuidOf(1) }, []],
  ['a size of one', { 'x-batch': uuidOf(1), 'x-batch-size': '1' }, []],
  ['the largest size', { 'x-batch': uuidOf(1), 'x-batch-size': '10000' }, []],
  ['an ID that is no UUID', { 'x-batch': 'mine' }, ['x-batch']],
  ['an empty ID', { 'x-batch': '' }, ['x-batch']],
  ['two IDs', { 'x-batch': `${uuidOf(1)},${uuidOf(2)}` }, ['x-batch']],
  ...['0', '10001', '1.5', '1e3', '+1', '01', ' 1', '', '1,1'].map(
    (size): [string, Record<string, string>, string[]] => [
      `a size of ${JSON.stringify(size)}`,
      { 'x-batch': uuidOf(1), 'x-batch-size': size },
      ['x-batch-size'],
    ],
  ),
  ['a size without an ID', { 'x-batch-size': '2' }, ['x-batch-size']],
])('the headers of a batch are checked at every endpoint: %s', (_title, headers, fields) => {
  expect(refusal(() => meet({}, { headers }))).toEqual(fields.length > 0 ? invalid(...fields) : undefined);
});
