import { expect, test } from 'vitest';
import { checkStrictJson, MAX_JSON_TOKENS } from '#lib/input/strict-json';
import { codeOf, refusal } from '../support/code-of.ts';

/** Both checks of the service, of which the parser decides the syntax. */
const check = (text: string) => {
  JSON.parse(text);
  checkStrictJson(text);
};
const arrays = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const objects = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;
const mixed = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`;
const BRACES = '[{'.repeat(100);

test.each([
  '{}',
  '{"a":1,"b":{"a":1},"c":[{"a":1},{"a":1}]}',
  '{"a":{"x":1},"x":{"a":{"x":1}}}',
  '["a","a"]',
  '{"a":["b","b",{"b":1}],"b":1}',
  '{"":1," ":2}',
  '{"a":1,"A":2}',
  '{"__proto":1,"proto__":1,"Constructor":1,"prototype":1,"toString":1}',
  '["__proto__","constructor"]',
  '{"a":"__proto__"}',
  '{"\\ud83d\\ude00":"😀"}',
  arrays(64),
  objects(64),
  mixed(64),
  `[${Array(1000).fill('[[]]').join(',')}]`,
  `"${BRACES}"`,
  `"\\"${BRACES}"`,
  `["\\\\","${BRACES}"]`,
  `{"${BRACES}":"}]"}`,
])('%s is accepted', (text) => {
  expect(refusal(() => check(text))).toBeUndefined();
});

const [REPEATED, PROTOTYPE] = ['Property names must not be repeated', 'This property name is not allowed'];
const [UNICODE, DEEP] = ['Strings must be well-formed Unicode', 'Nesting must be at most 64 deep'];

test.each([
  ['a repeated name', '{"a":1,"a":1}', 'a', REPEATED],
  ['a name repeated after others', '{"a":1,"b":2,"c":3,"a":4}', 'a', REPEATED],
  ['a name repeated after an object', '{"a":{"b":1},"a":1}', 'a', REPEATED],
  ['a name repeated after an array', '{"a":[1,{"a":2}],"a":1}', 'a', REPEATED],
  ['a name repeated after a brace in a string', '{"a":"}","a":1}', 'a', REPEATED],
  ['a name repeated after an escaped quote', '{"a":"\\"}","a":1}', 'a', REPEATED],
  ['a name repeated after an escaped backslash', '{"a":"\\\\","a":1}', 'a', REPEATED],
  ['a name repeated in an object', '{"x":{"a":1,"a":2}}', 'a', REPEATED],
  ['a name repeated in an object of an array', '[{"b":1},{"a":1,"a":2}]', 'a', REPEATED],
  ['a name repeated with an escape', '{"a":1,"\\u0061":2}', 'a', REPEATED],
  ['a name escaped in two ways', '{"\\/":1,"/":2}', '/', REPEATED],
  ['a name escaped in two cases', '{"\\u00e4":1,"\\u00E4":2}', 'ä', REPEATED],
  ['an empty name repeated', '{"":1,"":2}', '', REPEATED],
  ['a credential repeated', '{"cst_1":1,"cst_1":2}', '[redacted]', REPEATED],
  ['an inherited name repeated', '{"toString":1,"toString":2}', 'toString', REPEATED],
  ['the name __proto__', '{"__proto__":{}}', '__proto__', PROTOTYPE],
  ['the name constructor', '{"constructor":{}}', 'constructor', PROTOTYPE],
  ['a nested name __proto__', '{"a":[{"b":{"__proto__":1}}]}', '__proto__', PROTOTYPE],
  ['an escaped name __proto__', '{"\\u005f_proto__":1}', '__proto__', PROTOTYPE],
  ['a lone high surrogate', '"\\ud800"', 'body', UNICODE],
  ['a lone low surrogate', '"\\udc00"', 'body', UNICODE],
  ['a reversed pair of surrogates', '"\\udc00\\ud800"', 'body', UNICODE],
  ['a surrogate in a name', '{"\\ud800":1}', 'body', UNICODE],
  ['a nested surrogate', '{"a":[{"b":"x\\udfff"}]}', 'body', UNICODE],
  ['a surrogate without an escape', '"\ud800"', 'body', UNICODE],
  ['arrays 65 deep', arrays(65), 'body', DEEP],
  ['objects 65 deep', objects(65), 'body', DEEP],
  ['both 66 deep', mixed(66), 'body', DEEP],
])('%s is refused', (_title, text, field, message) => {
  const failure = { code: 'invalid_request', errors: [{ field, message }] };
  expect(() => check(text)).toThrow(expect.objectContaining(failure));
});

test('256 KiB of nesting does not overflow the stack', () => {
  for (const text of ['['.repeat(256 * 1024), '{"a":'.repeat(50_000)])
    expect(codeOf(() => checkStrictJson(text))).toBe('invalid_request');
});

const MIB = 1024 * 1024;
test.each([
  ['escaped quotes', '\\"'.repeat(MIB / 2)],
  ['pairs of surrogates', '😀'.repeat(MIB / 4)],
  ['braces', '[{'.repeat(MIB / 2)],
])('1 MiB of %s is accepted', (_title, content) => {
  expect(codeOf(() => check(`{"painput":"${content}"}`))).toBeUndefined();
});

test('as many names of one object as tokens permit are compared', () => {
  const length = Math.floor((MAX_JSON_TOKENS - 1) / 3);
  const names = Array.from({ length }, (_, index) => `"${index}":1`);
  expect(codeOf(() => check(`{${names.join(',')}}`))).toBeUndefined();
  expect(refusal(() => check(`{${[...names.slice(1), names.at(-1)].join(',')}}`))?.fields).toEqual([
    `${length - 1}`,
  ]);
});

test.each([
  ['with an unknown escape', '"\\x"'],
  // A search for its end from each quote would take half a minute.
  ['without an end', '\\"'.repeat(32 * 1024)],
])('a string %s is malformed', (_title, text) => {
  const errors = [{ field: 'body', message: 'Must be well-formed JSON' }];
  expect(() => checkStrictJson(text)).toThrow(expect.objectContaining({ errors }));
});
