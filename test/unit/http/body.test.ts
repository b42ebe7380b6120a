import { expect, test } from 'vitest';
import type { Contract } from '#lib/contract/contract';
import type { GatewayEvent } from '#lib/contract/gateway-event';
import { body, withoutBody } from '#lib/http/body';
import { asFailure } from '#lib/http/envelope';
import type { EndpointMiddleware } from '#lib/http/request';
import { MAX_DEPTH, MAX_JSON_TOKENS } from '#lib/input/strict-json';
import { requestContext, step } from '../support/request-context.ts';

type Sent = Partial<Pick<GatewayEvent, 'isBase64Encoded' | 'headers' | 'body'>>;

/** The parsed body after the middleware; or the code, the fields and the messages of the failure. */
function outcome(middleware: EndpointMiddleware, sent: Sent, type?: string) {
  const headers = type === undefined ? {} : { 'content-type': type };
  const context = requestContext({ method: 'POST', headers, ...sent });
  try {
    step(middleware, 'before', context);
    return { body: context.body };
  } catch (error) {
    const { code, errors = [] } = asFailure(error);
    return { code, fields: errors.map(({ field }) => field), messages: errors.map(({ message }) => message) };
  }
}
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const read = (sent: Sent, contract: Partial<Contract> = {}, type: string | undefined = JSON_TYPE) =>
  outcome(body(contract as Contract), sent, type);

const base64 = (content: string | readonly number[]) => ({
  body: Buffer.from(content as string).toString('base64'),
  isBase64Encoded: true,
});
/** A body as text and as base64. */
const bothWays = (text: string): Sent[] => [{ body: text }, base64(text)];
const ABSENT: Sent[] = [{}, { body: '' }, base64('')];

const FORMS = { bodyKind: 'json-or-form-or-none' } as const;
const FORM_ONLY = { bodyKind: 'form' } as const;
const OPTIONAL = { bodyKind: 'json-or-none' } as const;
const TOO_LARGE = { code: 'payload_too_large' };
const unsupported = (message: string, field = 'content-type') => ({
  code: 'unsupported_media_type',
  fields: [field],
  messages: [message],
});
const invalid = (message?: string, field = 'body') => ({
  code: 'invalid_request',
  fields: [field],
  ...(message ? { messages: [message] } : {}),
});

test('a JSON body is read from text and from base64', () => {
  for (const sent of bothWays('{"a":"ä"}')) expect(read(sent)).toEqual({ body: { a: 'ä' } });
});

test.each(ABSENT)('an absent body is read only if the contract permits that: %j', (sent) => {
  expect(read(sent)).toMatchObject(invalid('A JSON body is required'));
  expect(read(sent, OPTIONAL)).toHaveProperty('body', {});
  expect(read(sent, FORMS)).toHaveProperty('body', undefined);
});

test('an empty object needs no content type where a body is optional', () => {
  for (const sent of bothWays(' { } ')) {
    expect(outcome(body(OPTIONAL as Contract), sent)).toHaveProperty('body', {});
    expect(outcome(body({} as Contract), sent)).toMatchObject(unsupported(`Must be ${JSON_TYPE}`));
  }
});

test.each<[string, Partial<Contract>, number, string]>([
  ['256 KiB by default', {}, 256 * 1024, JSON_TYPE],
  ['the size of its contract', { maxBodyBytes: 6 }, 6, JSON_TYPE],
  ['the size of its contract as a form', { ...FORMS, maxBodyBytes: 7 }, 7, FORM_TYPE],
])('a body may have %s, in bytes', (_title, contract, size, type) => {
  const text = (bytes: number) =>
    type === FORM_TYPE ? 'a='.padEnd(bytes, 'x') : `"${'ä'.padEnd(bytes - 3, 'x')}"`;
  for (const sent of bothWays(text(size))) expect(read(sent, contract, type)).toHaveProperty('body');
  for (const sent of bothWays(text(size + 1))) expect(read(sent, contract, type)).toMatchObject(TOO_LARGE);
});

test.each([JSON_TYPE, 'APPLICATION/JSON', 'application/vnd.api+json', `${JSON_TYPE} ;`])(
  '%s is JSON',
  (type) => {
    for (const contract of [{}, OPTIONAL, FORMS])
      expect(read({ body: '[1]' }, contract, type)).toHaveProperty('body', [1]);
  },
);

test.each([FORM_TYPE, 'Application/X-WWW-Form-Urlencoded', `${FORM_TYPE};x=y`, `${FORM_TYPE}  ;`])(
  '%s is a form if the contract has forms',
  (type) => {
    expect(read(base64('a=1&b=x+y'), FORMS, type)).toHaveProperty('body', { a: '1', b: 'x y' });
    for (const contract of [{}, { bodyKind: 'json' } as const, OPTIONAL])
      expect(read({ body: 'a=1' }, contract, type)).toMatchObject(unsupported(`Must be ${JSON_TYPE}`));
  },
);

test('a form without repeated fields is required if the contract has only forms', () => {
  expect(read(base64('a=1'), FORM_ONLY, FORM_TYPE)).toHaveProperty('body', { a: '1' });
  const repeated = { body: 'a=1&b=2&a=1' };
  expect(read(repeated, FORM_ONLY, FORM_TYPE)).toMatchObject(invalid('Must be sent once', 'a'));
  expect(read({ body: '{}' }, FORM_ONLY, JSON_TYPE)).toMatchObject(unsupported(`Must be ${FORM_TYPE}`));
  for (const sent of [{}, { body: '' }])
    expect(read(sent, FORM_ONLY, FORM_TYPE)).toMatchObject({ code: 'invalid_request', fields: ['body'] });
});

test('a compressed body is not supported', () => {
  const headers = { 'content-type': JSON_TYPE, 'content-encoding': 'gzip' };
  const gzipped = { headers, ...base64([0x1f, 0x8b]) };
  expect(outcome(body({} as Contract), gzipped, JSON_TYPE)).toMatchObject(
    unsupported('Must be absent', 'content-encoding'),
  );
});

const OTHER_TYPES = [
  'text/plain',
  `${JSON_TYPE}x`,
  `x${JSON_TYPE}`,
  `${FORM_TYPE}x`,
  `x${FORM_TYPE}`,
  `${FORM_TYPE} x`,
];
test.each([undefined, ...OTHER_TYPES])('the content type %s is not supported', (type) => {
  for (const [contract, more] of [
    [{}, ''],
    [FORMS, ` or ${FORM_TYPE}`],
  ] as const)
    expect(outcome(body(contract as Contract), { body: '{}' }, type)).toMatchObject(
      unsupported(`Must be ${JSON_TYPE}${more}`),
    );
});

const all = (charset: string) =>
  [';charset=', '; charset=', ';  CHARSET=', '; v=1; charset=', '; charset = '].map((part) => part + charset);

test.each(['utf-8', 'UTF-8', 'utf8', '"utf-8"', 'us-ascii', 'US-ASCII; v=1', '"utf-8";v=1', 'utf-8 ; v=1'])(
  'the charset %s is supported',
  (charset) => {
    for (const part of all(charset))
      expect(read({ body: '1' }, {}, JSON_TYPE + part)).toHaveProperty('body', 1);
  },
);

test.each('utf-16 iso-8859-1 utf-8x xutf-8 utf--8 us-asciix xus-ascii "latin1"'.split(' '))(
  'the charset %s is not supported',
  (charset) => {
    for (const part of all(charset)) {
      const refused = unsupported('Must be UTF-8');
      expect(read({ body: '1' }, {}, JSON_TYPE + part)).toMatchObject(refused);
      expect(read({ body: 'a=1' }, FORMS, FORM_TYPE + part)).toMatchObject(refused);
    }
  },
);

test('the charset is not read from another parameter', () => {
  expect(read({ body: '1' }, {}, `${JSON_TYPE}; xcharset=latin1`)).toHaveProperty('body', 1);
});

const MALFORMED = invalid('Must be well-formed JSON');
const REFUSED: [string, object][] = [
  ['\ufeff{}', invalid('Must not begin with a byte order mark')],
  ...['{', 'a=1', "{'a':1}", '{"a":1}}'].map((text): [string, object] => [text, MALFORMED]),
  ['{"__proto__":1}', invalid('This property name is not allowed', '__proto__')],
  [`[${'0,'.repeat(MAX_JSON_TOKENS)}0]`, invalid('Has too many names and values')],
  ['['.repeat(100_000), invalid(`Nesting must be at most ${MAX_DEPTH} deep`)],
];
test.each<[string, Sent, object]>([
  ['a stray continuation byte', base64([0x22, 0x80, 0x22]), invalid('Must be UTF-8')],
  ['Latin-1', base64([0x22, 0xe4, 0x22]), invalid('Must be UTF-8')],
  ['a repeated name', { body: '{"a":1,"a":2}' }, invalid('Property names must not be repeated', 'a')],
  ...REFUSED.flatMap(([text, failure]) =>
    bothWays(text).map((sent): [string, Sent, object] => [text.slice(0, 20), sent, failure]),
  ),
])('a JSON body with %s is refused', (_title, sent, failure) => {
  for (const contract of [{}, FORMS]) expect(read(sent, contract)).toMatchObject(failure);
});

test('a number that no double represents keeps its spelling, except as a body whose shape is checked', () => {
  const written = '{"a":12345678901234567890,"b":[1e400]}';
  const bodyOf = (text: string, contract = {}) => (read({ body: text }, contract) as { body: unknown }).body;
  for (const contract of [{}, FORMS]) expect(JSON.stringify(bodyOf(written, contract))).toBe(written);
  expect(JSON.stringify(bodyOf('1.0', FORMS))).toBe('1.0');
  expect([bodyOf('1e400'), bodyOf('1.0')]).toEqual([Number.POSITIVE_INFINITY, 1]);
});

test('a body of spaces that is not empty is refused in linear time', () => {
  const text = `${' '.repeat(100 * 1024)}x`;
  expect(read({ body: text }, OPTIONAL)).toMatchObject(MALFORMED);
  expect(outcome(withoutBody(), { body: text })).toMatchObject(invalid('This endpoint takes no body'));
});

test.each([...ABSENT, ...bothWays('{}'), { body: ' {\n} ' }])(
  'an endpoint without a body ignores %j',
  (sent) => {
    expect(outcome(withoutBody(), sent)).toHaveProperty('body', undefined);
  },
);

test.each(['{"expires_in_days":90}', '[]', 'null', '{}{}', 'a=1', '{', '0'])(
  'an endpoint without a body refuses %s',
  (text) => {
    for (const sent of bothWays(text))
      expect(outcome(withoutBody(), sent)).toMatchObject(invalid('This endpoint takes no body'));
  },
);
