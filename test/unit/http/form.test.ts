import { expect, test } from 'vitest';
import { formToJson } from '#lib/http/form';

test.each<[string, object]>([
  ['', {}],
  ['a=1&b=2', { a: '1', b: '2' }],
  ['a', { a: '' }],
  ['a=', { a: '' }],
  ['=a', { '': 'a' }],
  ['&&a=1&', { a: '1' }],
  ['a=b=c', { a: 'b=c' }],
  ['?a=1', { '?a': '1' }],
  ['a=1+2', { a: '1 2' }],
  ['a=1%2B2', { a: '1+2' }],
  ['a+b=%26%3D', { 'a b': '&=' }],
  ['a=%25%32%35', { a: '%25' }],
  ['a=%C3%A4%F0%9F%98%80', { a: 'ä😀' }],
  ['toString=1', { toString: '1' }],
  ['a=1&b=x&%61=2&a=', { a: ['1', '2', ''], b: 'x' }],
])('the form %j is read', (form, json) => {
  expect(formToJson(form)).toEqual(json);
});

test('a name that is repeated as often as a body permits is read', () => {
  expect(formToJson('a&'.repeat(131_072))['a']).toHaveLength(131_072);
});

const ENCODING = ['body', 'Must be a form in percent-encoded UTF-8'];
const NAME = 'This property name is not allowed';

test.each([
  ['half a percent sign', 'a=%', ...ENCODING],
  ['one digit', 'a=%4', ...ENCODING],
  ['no hexadecimal digits', 'a=%zz', ...ENCODING],
  ['a stray continuation byte', 'a=%80', ...ENCODING],
  ['Latin-1', 'a=%E4', ...ENCODING],
  ['an overlong slash', 'a=%C0%AF', ...ENCODING],
  ['a surrogate', 'a=%ED%A0%80', ...ENCODING],
  ['a malformed name', '%=a', ...ENCODING],
  ['a name that reaches a prototype', '__proto__=1', '__proto__', NAME],
  ['a later name that reaches a prototype', 'a=1&constructor=2', 'constructor', NAME],
  ['an encoded name that reaches a prototype', '%5F%5Fproto%5F%5F=1', '__proto__', NAME],
  ['such a name without a value', '__proto__', '__proto__', NAME],
])('a form with %s is refused', (_title, form, field, message) => {
  const failure = { code: 'invalid_request', errors: [{ field, message }] };
  expect(() => formToJson(form)).toThrow(expect.objectContaining(failure));
});
