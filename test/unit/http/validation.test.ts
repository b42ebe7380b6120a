import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { Contract } from '#lib/contract/contract';
import type { EndpointEvent } from '#lib/http/request';
import { validation } from '#lib/http/validation';
import { parse } from '#lib/parse';
import { contracts } from '#lib/routes';
import { uuids } from '#lib/system/contracts';
import { codeOf, refusal } from '../support/code-of.ts';

const schema = z.strictObject({ a: z.string(), b: z.optional(z.strictObject({ c: z.int() })) });

test('input of the right shape is handed on', () => {
  expect(parse(schema, { a: 'x', b: { c: 1 } })).toEqual({ a: 'x', b: { c: 1 } });
});

test('every field at fault is named by its path', () => {
  expect(refusal(() => parse(schema, { a: 1, b: { c: 1.5 } }))).toEqual({
    code: 'invalid_request',
    fields: ['a', 'b.c'],
  });
  expect(refusal(() => parse(schema, {}))?.fields).toEqual(['a']);
});

test('every unknown property is named by its path', () => {
  expect(refusal(() => parse(schema, { a: 'x', y: 1, z: 2, b: { c: 1, d: 2 } }))?.fields.sort()).toEqual([
    'b.d',
    'y',
    'z',
  ]);
});

test.each([null, [], 'a', 1, undefined])('%j in place of an object is refused as the body', (input) => {
  expect(refusal(() => parse(schema, input))).toEqual({ code: 'invalid_request', fields: ['body'] });
});

describe('the number of UUIDs', () => {
  const read = (n: unknown) => codeOf(() => parse(uuids.query(), { n }));

  test.each(['0', '1', '00010', '9999', '10000'])('may be %s', (n) => {
    expect(read(n)).toBeUndefined();
  });

  test.each([
    '',
    ' ',
    '10001',
    '99999',
    '100000',
    '-1',
    '+1',
    '1.0',
    '1e3',
    '0x10',
    ' 5',
    '5 ',
    '５',
    '1,2',
    undefined,
  ])('may not be %j', (n) => {
    expect(read(n)).toBe('invalid_request');
  });
});

const limited = contracts.filter(({ query }) => query && 'limit' in (query() as z.ZodMiniObject).shape);

test('two listings have pages', () => {
  expect(limited.map(({ id }) => id).sort()).toEqual(['account.browse', 'token.browse']);
});

describe.each(limited.map((contract): [string, Contract] => [contract.id, contract]))(
  'a page of %s',
  (_id, { query }) => {
    const read = (input: object) => codeOf(() => parse((query as NonNullable<typeof query>)(), input));

    test.each(['1', '10', '9999', '10000'])('may have %s items', (limit) => {
      expect(read({ limit })).toBeUndefined();
    });

    test.each(['', '0', '01', '10001', '-1', '1.5', '1e3', 'ten', ' 1'])('may not have %j items', (limit) => {
      expect(read({ limit })).toBe('invalid_request');
    });

    test('may not begin with an empty or an endless cursor', () => {
      expect(read({ cursor: '' })).toBe('invalid_request');
      expect(read({ cursor: 'x'.repeat(1025) })).toBe('invalid_request');
    });
  },
);

describe('an endpoint', () => {
  /** The event once it has met the check of its contract. */
  const meet = (contract: Partial<Contract>, part: Partial<EndpointEvent>) => {
    const event = part as EndpointEvent;
    (validation(contract as Contract).before as (request: object) => void)({ event });
    return event;
  };
  const flag = () => z.object({ flag: z.pipe(z.enum(['0', '1']), z.transform(Number)) });

  test('without shapes is given neither parameters nor a query, and its body as it is', () => {
    const part = { pathParameters: { a: '1' }, queryStringParameters: { ptoken: 'x' }, body: 'text' };
    expect(meet({}, part)).toStrictEqual({ ...part, params: {}, query: {} });
    expect(meet({}, {})).toStrictEqual({ params: {}, query: {} });
  });

  test('is given what its shapes make of parameters, query and body', () => {
    const [pathParameters, queryStringParameters, body] = [
      { flag: '1', x: 'y' },
      { flag: '0' },
      { flag: '1' },
    ];
    expect(
      meet({ params: flag, query: flag, body: flag }, { pathParameters, queryStringParameters, body }),
    ).toMatchObject({ params: { flag: 1 }, query: { flag: 0 }, body: { flag: 1 } });
  });

  test.each([
    ['without a shape', {}],
    ['with one', { query: () => z.strictObject({ flag: z.optional(z.string()) }) }],
  ])('refuses a query %s by the name of what it may not have', (_name, contract) => {
    const queryStringParameters = { flags: '1', 'a b': '', ptoken: 'x', cst_0123456789: '' };
    expect(refusal(() => meet(contract, { queryStringParameters }))).toEqual({
      code: 'invalid_request',
      fields: ['flags', 'a b', '[redacted]'],
    });
  });

  test.each([
    ['parameters', { params: flag }],
    ['query', { query: flag }],
    ['body', { body: flag }],
  ])('refuses wrong %s by their fields', (_name, contract) => {
    const wrong = { flag: '2' };
    const part = { pathParameters: wrong, queryStringParameters: wrong, body: wrong };
    expect(refusal(() => meet(contract, part))).toEqual({ code: 'invalid_request', fields: ['flag'] });
  });

  test('requires what its shapes require where there is nothing at all', () => {
    for (const contract of [{ params: flag }, { query: flag }])
      expect(refusal(() => meet(contract, {}))?.fields).toEqual(['flag']);
    expect(refusal(() => meet({ body: flag }, {}))?.fields).toEqual(['body']);
  });
});
