import { describe, expect, test } from 'vitest';
import type { Contract } from '#lib/contract/contract';
import { body } from '#lib/http/body';
import type { EndpointEvent } from '#lib/http/request';
import { codeOf } from '../code-of.ts';
import { gatewayEvent } from '../gateway-event.ts';

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
