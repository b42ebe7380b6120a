import { describe, expect, test } from 'vitest';
import type { Contract } from '#lib/contract/contract';
import { Failure } from '#lib/failure';
import { body, withoutBody } from '#lib/http/body';
import type { EndpointEvent } from '#lib/http/request';
import { codeOf, refusal } from '../support/code-of.ts';
import { gatewayEvent } from '../support/gateway-event.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
const base64 = (content: string | Uint8Array) => ({
  body: Buffer.from(content).toString('base64'),
  isBase64Encoded: true,
});

/** The body that a rule is given, where the middleware lets it through. */
function read(event: object, contract: Partial<Contract> = {}): unknown {
  const request = { event: gatewayEvent({ method: 'POST', ...event }) as EndpointEvent };
  const { before } = body(contract as Contract);
  (before as (request: { event: EndpointEvent }) => void)(request);
  return request.event.body;
}

const ANY = { bodyKind: 'json-or-form-or-none' } as const;

describe('a JSON body', () => {
  test('is read as text and from base64', () => {
    expect(read({ headers: JSON_TYPE, body: '{"a":"ä"}' })).toEqual({ a: 'ä' });
    expect(read({ headers: JSON_TYPE, ...base64('{"a":"ä"}') })).toEqual({ a: 'ä' });
  });

  test.each(['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/vnd.api+json'])(
    'may be %s',
    (type) => {
      expect(read({ headers: { 'content-type': type }, body: '[1]' })).toEqual([1]);
    },
  );

  test('may have 256 KiB, in bytes, and no more', () => {
    const half = 128 * 1024 - 1;
    expect(read({ headers: JSON_TYPE, body: `"${'ä'.repeat(half)}"` })).toHaveLength(half);
    const one = { headers: JSON_TYPE, body: `"${'ä'.repeat(half)}x"` };
    expect(codeOf(() => read(one))).toBe('payload_too_large');
    expect(codeOf(() => read({ headers: JSON_TYPE, ...base64(one.body) }))).toBe('payload_too_large');
  });

  test('may have as many bytes as its contract says', () => {
    const event = { headers: JSON_TYPE, body: '"1234"' };
    expect(read(event, { maxBodyBytes: 6 })).toBe('1234');
    expect(codeOf(() => read(event, { maxBodyBytes: 5 }))).toBe('payload_too_large');
  });

  test.each([{}, { body: '' }, base64('')])('may not be absent: %j', (event) => {
    expect(codeOf(() => read({ headers: JSON_TYPE, ...event }))).toBe('invalid_request');
  });

  test.each([
    ['a stray continuation byte', [0x22, 0x80, 0x22]],
    ['Latin-1', [0x22, 0xe4, 0x22]],
    ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
    ['a surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
  ])('may not be anything but UTF-8: %s', (_name, bytes) => {
    expect(codeOf(() => read({ headers: JSON_TYPE, ...base64(Uint8Array.from(bytes)) }))).toBe(
      'invalid_request',
    );
  });

  test('may not repeat a name', () => {
    expect(codeOf(() => read({ headers: JSON_TYPE, body: '{"a":1,"a":2}' }))).toBe('invalid_request');
  });
});

describe('a JSON body that may be absent', () => {
  const OPTIONAL = { bodyKind: 'json-or-none' } as const;

  test.each([{}, { body: '' }, base64('')])('is an empty object then: %j', (event) => {
    expect(read(event, OPTIONAL)).toEqual({});
  });

  test('is read where it is there, and may be no form', () => {
    expect(read({ headers: JSON_TYPE, body: '{"a":1}' }, OPTIONAL)).toEqual({ a: 1 });
    expect(() => read({ headers: FORM_TYPE, body: 'a=1' }, OPTIONAL)).toThrow('Unsupported Media Type');
  });
});

describe('a body of any kind', () => {
  test.each([{}, { body: '' }, base64('')])('may be absent: %j', (event) => {
    expect(read(event, ANY)).toBeUndefined();
  });

  test('may be JSON or a form', () => {
    expect(read({ headers: JSON_TYPE, body: '{"a":1}' }, ANY)).toEqual({ a: 1 });
    expect(read({ headers: FORM_TYPE, ...base64('a=1&b=x+y') }, ANY)).toEqual({ a: '1', b: 'x y' });
    const withCharset = { 'content-type': 'Application/X-WWW-Form-Urlencoded ; charset=utf-8' };
    expect(read({ headers: withCharset, ...base64('a=1') }, ANY)).toEqual({ a: '1' });
  });
});

describe('where no body is taken', () => {
  const meet = (sent: object) => {
    const request = { event: gatewayEvent({ method: 'GET', ...sent }) as EndpointEvent };
    (withoutBody().before as (request: { event: EndpointEvent }) => void)(request);
    return request.event.body;
  };

  test.each([{}, { body: '' }, { body: '{}' }, { body: ' {\n} ' }, base64('{}'), base64('')])(
    'one that asks for nothing passes, and nobody sees it: %j',
    (sent) => {
      expect(meet(sent)).toBeUndefined();
    },
  );

  test.each(['{"expires_in_days":90}', '[]', 'null', '{}{}', 'a=1', '{', '0'])('%s is refused', (text) => {
    for (const sent of [{ body: text }, base64(text)])
      expect(refusal(() => meet(sent))).toEqual({ code: 'invalid_request', fields: ['body'] });
  });
});

/** The fields at fault and what is said of them. */
function faults(event: object, contract: Partial<Contract> = {}) {
  try {
    read(event, contract);
    return undefined;
  } catch (error) {
    return error instanceof Failure ? error.errors : error;
  }
}

/** The status that the JSON parser gives its error, which is no failure yet. */
function parserStatus(event: object, contract: Partial<Contract> = {}) {
  const error = faults(event, contract);
  return error instanceof Error ? (error as Error & { statusCode?: number }).statusCode : error;
}

test('what is wrong with a body is said of the body', () => {
  expect(faults({ headers: JSON_TYPE })).toEqual([{ field: 'body', message: 'A JSON body is required' }]);
  const latin1 = base64(Uint8Array.from([0x22, 0xe4, 0x22]));
  expect(faults({ headers: JSON_TYPE, ...latin1 })).toEqual([{ field: 'body', message: 'Must be UTF-8' }]);
});

test('a request whose body was read is marked as text', () => {
  const request = {
    event: gatewayEvent({ method: 'POST', headers: JSON_TYPE, ...base64('{}') }) as EndpointEvent,
  };
  (body({} as Contract).before as (request: { event: EndpointEvent }) => void)(request);
  expect(request.event.isBase64Encoded).toBe(false);
});

describe('the size of a body', () => {
  test.each([
    ['text', (content: string) => ({ body: content })],
    ['base64', (content: string) => base64(content)],
  ])('is that of its bytes, as %s', (_name, sent) => {
    const fits = `"${'x'.repeat(256 * 1024 - 2)}"`;
    expect(read({ headers: JSON_TYPE, ...sent(fits) })).toHaveLength(256 * 1024 - 2);
    expect(codeOf(() => read({ headers: JSON_TYPE, ...sent(`${fits} `) }))).toBe('payload_too_large');
  });

  test('is limited for forms as well', () => {
    const contract = { ...ANY, maxBodyBytes: 5 };
    expect(read({ headers: FORM_TYPE, body: 'a=123' }, contract)).toEqual({ a: '123' });
    expect(codeOf(() => read({ headers: FORM_TYPE, body: 'a=1234' }, contract))).toBe('payload_too_large');
  });

  test('is checked before its type and its text', () => {
    const tooLarge = { headers: { 'content-type': 'text/plain' }, ...base64(Uint8Array.from([0xff, 0xff])) };
    expect(codeOf(() => read(tooLarge, { maxBodyBytes: 1 }))).toBe('payload_too_large');
  });
});

describe('the charset of a body', () => {
  test.each([
    'utf-8',
    'UTF-8',
    'utf8',
    '"utf-8"',
    'us-ascii',
    'US-ASCII; version=1',
    '"utf-8";version=1',
    'utf-8 ; version=1',
  ])('may be %s', (charset) => {
    for (const before of [';charset=', '; charset=', ';  CHARSET=', '; version=1; charset=', '; charset = '])
      expect(read({ headers: { 'content-type': `application/json${before}${charset}` }, body: '1' })).toBe(1);
  });

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
    for (const before of [';charset=', '; charset=', ';  Charset = '])
      expect(
        refusal(() =>
          read({ headers: { 'content-type': `application/json${before}${charset}` }, body: '1' }),
        ),
      ).toEqual({ code: 'unsupported_media_type', fields: [] });
  });

  test('of a form may be no other either', () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=iso-8859-1' };
    expect(codeOf(() => read({ headers, body: 'a=1' }, ANY))).toBe('unsupported_media_type');
  });

  test('is no charset in the name of another parameter', () => {
    const headers = { 'content-type': 'application/json; xcharset=latin1' };
    expect(read({ headers, body: '1' })).toBe(1);
  });
});

describe('the content type of a body', () => {
  const FORM_LIKE = [
    'application/x-www-form-urlencodedx',
    'xapplication/x-www-form-urlencoded',
    'application/x-www-form-urlencoded x',
  ];

  test.each(['text/plain', 'application/xml', 'text/json', 'application/jsonx', ...FORM_LIKE])(
    'may not be %s',
    (type) => {
      const event = { headers: { 'content-type': type }, body: '{}' };
      for (const contract of [{}, ANY]) expect(parserStatus(event, contract)).toBe(415);
    },
  );

  test('may not be absent', () => {
    for (const contract of [{}, ANY]) expect(parserStatus({ body: '{}' }, contract)).toBe(415);
  });

  test('may not be that of a form where the contract has JSON only', () => {
    for (const contract of [{}, { bodyKind: 'json' } as const])
      expect(parserStatus({ headers: FORM_TYPE, body: 'a=1' }, contract)).toBe(415);
  });

  test.each([
    'application/x-www-form-urlencoded',
    'application/x-www-form-urlencoded;x=y',
    'application/x-www-form-urlencoded  ;',
  ])('may be %s where the contract has forms', (type) => {
    expect(read({ headers: { 'content-type': type }, body: 'a=1' }, ANY)).toEqual({ a: '1' });
  });
});

describe('a malformed body is refused', () => {
  test.each(['{', 'a=1', '\ufeff{}', "{'a':1}", '{"a":1}}', '{"__proto__":1}', '['.repeat(100_000)])(
    'JSON: %j',
    (text) => {
      for (const contract of [{}, ANY]) {
        expect(parserStatus({ headers: JSON_TYPE, body: text }, contract)).toBe(422);
        expect(parserStatus({ headers: JSON_TYPE, ...base64(text) }, contract)).toBe(422);
      }
    },
  );

  test.each([
    ['a name that is repeated', '{"a":1,"a":2}', 'a'],
    ['a name that reaches a prototype', '{"constructor":1}', 'constructor'],
    ['half a surrogate pair', '"\\ud800"', 'body'],
    ['nesting 65 deep', '['.repeat(65) + ']'.repeat(65), 'body'],
  ])('%s', (_name, text, field) => {
    for (const contract of [{}, ANY])
      expect(refusal(() => read({ headers: JSON_TYPE, body: text }, contract))).toEqual({
        code: 'invalid_request',
        fields: [field],
      });
  });

  test('a form: percent signs without digits', () => {
    expect(codeOf(() => read({ headers: FORM_TYPE, body: 'a=%' }, ANY))).toBe('invalid_request');
  });
});

describe('a number that no double holds', () => {
  test('stays as it was written, inside of a body and where a body is repeated', () => {
    const written = '{"a":12345678901234567890,"b":[1e400]}';
    for (const contract of [{}, ANY])
      expect(JSON.stringify(read({ headers: JSON_TYPE, body: written }, contract))).toBe(written);
    expect(JSON.stringify(read({ headers: JSON_TYPE, body: '1.0' }, ANY))).toBe('1.0');
  });

  test('is a number as the body itself, where its shape is checked', () => {
    expect(read({ headers: JSON_TYPE, body: '1e400' })).toBe(Number.POSITIVE_INFINITY);
    expect(read({ headers: JSON_TYPE, body: '1.0' })).toBe(1);
  });
});
