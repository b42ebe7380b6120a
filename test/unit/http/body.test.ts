import { describe, expect, test } from 'vitest';
import type { Contract } from '#lib/contract/contract';
import { body, withoutBody } from '#lib/http/body';
import { asFailure } from '#lib/http/envelope';
import type { EndpointEvent, EndpointMiddleware } from '#lib/http/request';
import { gatewayEvent } from '../support/gateway-event.ts';

interface Sent {
  readonly type?: string | undefined;
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
}

/** The event after the middleware; or the code and the errors of the failure. */
function outcome({ before }: EndpointMiddleware, { type, ...sent }: Sent) {
  const headers = type === undefined ? {} : { 'content-type': type };
  const event = gatewayEvent({ method: 'POST', headers, ...sent }) as EndpointEvent;
  try {
    (before as (request: { event: EndpointEvent }) => void)({ event });
    return event;
  } catch (error) {
    const { code, errors = [] } = asFailure(error);
    return { code, fields: errors.map(({ field }) => field), messages: errors.map(({ message }) => message) };
  }
}
const read = (sent: Sent, contract: Partial<Contract> = {}) => outcome(body(contract as Contract), sent);

const base64 = (content: string | Uint8Array) => ({
  body: Buffer.from(content).toString('base64'),
  isBase64Encoded: true,
});
const bytes = (...all: number[]) => base64(Uint8Array.from(all));
/** A body as text and as base64. */
const bothWays = (text: string): Sent[] => [{ body: text }, base64(text)];

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const json = (sent: Sent) => ({ type: JSON_TYPE, ...sent });
const FORMS = { bodyKind: 'json-or-form-or-none' } as const;
const OPTIONAL = { bodyKind: 'json-or-none' } as const;
const ABSENT: Sent[] = [{}, { body: '' }, base64('')];

const TOO_LARGE = { code: 'payload_too_large' };
const UNSUPPORTED = { code: 'unsupported_media_type' };
const invalid = (field = 'body') => ({ code: 'invalid_request', fields: [field] });
const MALFORMED = { ...invalid(), messages: ['Must be well-formed JSON'] };

test('a JSON body is read from text and from base64, and marked as text', () => {
  for (const sent of bothWays('{"a":"ä"}'))
    expect(read(json(sent))).toMatchObject({ body: { a: 'ä' }, isBase64Encoded: false });
});

test.each(ABSENT)('an absent body is one only if the contract permits that: %j', (sent) => {
  expect(read(json(sent))).toMatchObject({ ...invalid(), messages: ['A JSON body is required'] });
  expect(read(json(sent), OPTIONAL)).toHaveProperty('body', {});
  expect(read(sent, FORMS)).toHaveProperty('body', undefined);
});

test.each<[string, Partial<Contract>, number, string]>([
  ['256 KiB by default', {}, 256 * 1024, JSON_TYPE],
  ['the size of its contract', { maxBodyBytes: 6 }, 6, JSON_TYPE],
  ['the size of its contract as a form', { ...FORMS, maxBodyBytes: 7 }, 7, FORM_TYPE],
])('a body may have %s, in bytes', (_title, contract, size, type) => {
  const text = (length: number) =>
    type === FORM_TYPE ? 'a='.padEnd(length, 'x') : `"${'ä'.padEnd(length - 3, 'x')}"`;
  for (const sent of bothWays(text(size))) expect(read({ type, ...sent }, contract)).toHaveProperty('body');
  for (const sent of bothWays(text(size + 1)))
    expect(read({ type, ...sent }, contract)).toMatchObject(TOO_LARGE);
});

test('the size of a body is checked before its type and its text', () => {
  expect(read({ type: 'text/plain', ...bytes(0xff, 0xff) }, { maxBodyBytes: 1 })).toMatchObject(TOO_LARGE);
});

describe('a content type', () => {
  test.each([JSON_TYPE, 'APPLICATION/JSON', 'application/vnd.api+json'])('may be %s', (type) => {
    for (const contract of [{}, OPTIONAL, FORMS])
      expect(read({ type, body: '[1]' }, contract)).toHaveProperty('body', [1]);
  });

  test.each([FORM_TYPE, 'Application/X-WWW-Form-Urlencoded', `${FORM_TYPE};x=y`, `${FORM_TYPE}  ;`])(
    'may be %s if the contract has forms',
    (type) => {
      expect(read({ type, ...base64('a=1&b=x+y') }, FORMS)).toHaveProperty('body', { a: '1', b: 'x y' });
      for (const contract of [{}, { bodyKind: 'json' } as const, OPTIONAL])
        expect(read({ type, body: 'a=1' }, contract)).toMatchObject({
          ...UNSUPPORTED,
          fields: ['content-type'],
        });
    },
  );

  test.each([
    undefined,
    'text/plain',
    'text/json',
    'application/jsonx',
    `${FORM_TYPE}x`,
    `x${FORM_TYPE}`,
    `${FORM_TYPE} x`,
  ])('may not be %s', (type) => {
    for (const contract of [{}, FORMS])
      expect(read({ type, body: '{}' }, contract)).toMatchObject(UNSUPPORTED);
  });
});

describe('a charset', () => {
  const BEFORE = [';charset=', '; charset=', ';  CHARSET=', '; version=1; charset=', '; charset = '];

  test.each(['utf-8', 'UTF-8', 'utf8', '"utf-8"', 'us-ascii', 'US-ASCII; v=1', '"utf-8";v=1', 'utf-8 ; v=1'])(
    'may be %s',
    (charset) => {
      for (const before of BEFORE)
        expect(read({ type: JSON_TYPE + before + charset, body: '1' })).toHaveProperty('body', 1);
    },
  );

  test.each([
    'utf-16',
    'iso-8859-1',
    'utf-8x',
    'xutf-8',
    'utf--8',
    'us-asciix',
    'xus-ascii',
    '"latin1"',
    '"utf-7"',
  ])('may not be %s', (charset) => {
    for (const before of BEFORE) {
      expect(read({ type: JSON_TYPE + before + charset, body: '1' })).toMatchObject({
        ...UNSUPPORTED,
        fields: [],
      });
      expect(read({ type: FORM_TYPE + before + charset, body: 'a=1' }, FORMS)).toMatchObject(UNSUPPORTED);
    }
  });

  test('is not read from another parameter', () => {
    expect(read({ type: `${JSON_TYPE}; xcharset=latin1`, body: '1' })).toHaveProperty('body', 1);
  });
});

test.each([
  ['a stray continuation byte', [0x22, 0x80, 0x22]],
  ['Latin-1', [0x22, 0xe4, 0x22]],
  ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
  ['a surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
])('a body must be UTF-8, not %s', (_title, all) => {
  expect(read(json(bytes(...all)))).toMatchObject({ ...invalid(), messages: ['Must be UTF-8'] });
});

test.each(['{', 'a=1', '\ufeff{}', "{'a':1}", '{"a":1}}', '{"__proto__":1}', '['.repeat(100_000)])(
  'a body must be well-formed JSON: %j',
  (text) => {
    for (const sent of bothWays(text))
      for (const contract of [{}, FORMS]) expect(read(json(sent), contract)).toMatchObject(MALFORMED);
  },
);

test.each([
  ['a repeated name', '{"a":1,"a":2}', 'a'],
  ['a name that reaches a prototype', '{"constructor":1}', 'constructor'],
  ['half a surrogate pair', '"\\ud800"', 'body'],
  ['nesting 65 deep', '['.repeat(65) + ']'.repeat(65), 'body'],
])('a JSON body may not have %s', (_title, text, field) => {
  for (const contract of [{}, FORMS])
    expect(read(json({ body: text }), contract)).toMatchObject(invalid(field));
});

test('a form must be percent-encoded', () => {
  expect(read({ type: FORM_TYPE, body: 'a=%' }, FORMS)).toMatchObject(invalid());
});

test('a number that no double represents keeps its spelling, except as the body whose shape is checked', () => {
  const written = '{"a":12345678901234567890,"b":[1e400]}';
  const bodyOf = (text: string, contract = {}) =>
    (read(json({ body: text }), contract) as EndpointEvent).body;
  for (const contract of [{}, FORMS]) expect(JSON.stringify(bodyOf(written, contract))).toBe(written);
  expect(JSON.stringify(bodyOf('1.0', FORMS))).toBe('1.0');
  expect([bodyOf('1e400'), bodyOf('1.0')]).toEqual([Number.POSITIVE_INFINITY, 1]);
});

describe('an endpoint without a body', () => {
  test.each([...ABSENT, ...bothWays('{}'), { body: ' {\n} ' }])('ignores one that is empty: %j', (sent) => {
    expect(outcome(withoutBody(), sent)).toHaveProperty('body', undefined);
  });

  test.each(['{"expires_in_days":90}', '[]', 'null', '{}{}', 'a=1', '{', '0'])('refuses %s', (text) => {
    const messages = ['This endpoint takes no body'];
    for (const sent of bothWays(text))
      expect(outcome(withoutBody(), sent)).toMatchObject({ ...invalid(), messages });
  });
});
