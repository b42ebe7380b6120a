import { expect, test } from 'vitest';
import { formToJson } from '#lib/http/form';
import { codeOf, refusal } from '../support/code-of.ts';

test.each([
  ['', {}],
  ['a=1', { a: '1' }],
  ['a=1&b=2', { a: '1', b: '2' }],
  ['a', { a: '' }],
  ['a=', { a: '' }],
  ['=a', { '': 'a' }],
  ['&&a=1&', { a: '1' }],
  ['a=b=c', { a: 'b=c' }],
  ['a=1+2', { a: '1 2' }],
  ['a=1%2B2', { a: '1+2' }],
  ['a+b=%26%3D', { 'a b': '&=' }],
  ['a=%25%32%35', { a: '%25' }],
  ['a=%C3%A4%F0%9F%98%80', { a: 'ä😀' }],
  ['toString=1', { toString: '1' }],
])('%s is read', (form, json) => {
  expect(formToJson(form)).toEqual(json);
});

test('a name that is repeated becomes an array, in order', () => {
  expect(formToJson('a=1&b=x&a=2&a=')).toEqual({ a: ['1', '2', ''], b: 'x' });
  expect(formToJson('a=1&%61=2')).toEqual({ a: ['1', '2'] });
});

test.each([
  ['half a percent sign', 'a=%'],
  ['one digit', 'a=%4'],
  ['no hexadecimal digits', 'a=%zz'],
  ['a stray continuation byte', 'a=%80'],
  ['Latin-1', 'a=%E4'],
  ['an overlong slash', 'a=%C0%AF'],
  ['a surrogate', 'a=%ED%A0%80'],
  ['a malformed name', '%=a'],
])('%s is refused', (_name, form) => {
  expect(codeOf(() => formToJson(form))).toBe('invalid_request');
});

test.each(['__proto__=1', 'a=1&constructor=2', '%5F%5Fproto%5F%5F=1', '__proto__'])(
  '%s is refused, since it reaches a prototype',
  (form) => {
    expect(refusal(() => formToJson(form))?.code).toBe('invalid_request');
    expect(Object.prototype).not.toHaveProperty('a');
  },
);

test('a name repeated 131,072 times, as often as fits a body, is read', () => {
  expect(formToJson('a&'.repeat(131_072))['a']).toHaveLength(131_072);
});

test.each([
  ['a=%', 'body', 'Must be a form in percent-encoded UTF-8'],
  ['%=a', 'body', 'Must be a form in percent-encoded UTF-8'],
  ['x=1&constructor=2', 'constructor', 'This property name is not allowed'],
])('%s is refused with a reason', (form, field, message) => {
  expect(() => formToJson(form)).toThrow(expect.objectContaining({ errors: [{ field, message }] }));
});
