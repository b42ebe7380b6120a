import { describe, expect, test } from 'vitest';
import { checkStrictJson } from '#lib/http/strict-json';
import { codeOf, refusal } from '../support/code-of.ts';

/** As the service does: the parser first, which settles the syntax. */
const check = (text: string) => {
  JSON.parse(text);
  checkStrictJson(text);
};
const outcome = (text: string) => codeOf(() => check(text));

test.each([
  '{}',
  '[]',
  'null',
  '0',
  '"text"',
  '{"a":1,"b":{"a":1},"c":[{"a":1},{"a":1}]}',
  '{"a":{"x":1},"x":{"a":{"x":1}}}',
  '{"a":"a","b":"a"}',
  '["a","a"]',
  '{"a":["b","b",{"b":1}],"b":1}',
  ' { "a" : [ 1 , 2 ] , "b" : "x" } ',
  '{"":1," ":2}',
  '{"a":1,"A":2}',
  '{"__proto":1,"proto__":1,"Constructor":1,"prototype":1,"toString":1}',
  '["__proto__","constructor"]',
  '{"a":"__proto__"}',
])('%s is accepted', (text) => {
  expect(outcome(text)).toBeUndefined();
});

describe('a property name that is repeated is refused, and named', () => {
  test.each([
    ['side by side', '{"a":1,"a":1}', 'a'],
    ['with others between', '{"a":1,"b":2,"c":3,"a":4}', 'a'],
    ['after a nested object', '{"a":{"b":1},"a":1}', 'a'],
    ['after a nested array', '{"a":[1,{"a":2}],"a":1}', 'a'],
    ['in a nested object', '{"x":{"a":1,"a":2}}', 'a'],
    ['in an object of an array', '[{"b":1},{"a":1,"a":2}]', 'a'],
    ['escaped', '{"a":1,"\\u0061":2}', 'a'],
    ['escaped in two ways', '{"\\/":1,"/":2}', '/'],
    ['escaped in two cases', '{"\\u00e4":1,"\\u00E4":2}', 'ä'],
    ['empty', '{"":1,"":2}', ''],
    ['like an inherited property', '{"toString":1,"toString":2}', 'toString'],
  ])('%s', (_name, text, field) => {
    expect(refusal(() => check(text))).toEqual({ code: 'invalid_request', fields: [field] });
  });
});

describe('a property name that reaches a prototype is refused, and named', () => {
  test.each([
    ['{"__proto__":{}}', '__proto__'],
    ['{"constructor":{}}', 'constructor'],
    ['{"a":[{"b":{"__proto__":1}}]}', '__proto__'],
    ['{"\\u005f_proto__":1}', '__proto__'],
    ['{"\\u0063onstructor":1}', 'constructor'],
  ])('%s', (text, field) => {
    expect(refusal(() => check(text))).toEqual({ code: 'invalid_request', fields: [field] });
  });
});

describe('text that is not well-formed Unicode is refused', () => {
  test.each([
    ['a lone high surrogate', '"\\ud800"'],
    ['a lone low surrogate', '"\\udc00"'],
    ['a pair the wrong way round', '"\\udc00\\ud800"'],
    ['in a name', '{"\\ud800":1}'],
    ['in a nested value', '{"a":[{"b":"x\\udfff"}]}'],
    ['not escaped', '"\ud800"'],
  ])('%s', (_name, text) => {
    expect(outcome(text)).toBe('invalid_request');
  });

  test('a whole pair is well-formed', () => {
    expect(outcome('{"\\ud83d\\ude00":"😀"}')).toBeUndefined();
  });
});

describe('nesting', () => {
  const arrays = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  const objects = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;
  const mixed = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`;

  test('may be 64 deep', () => {
    for (const text of [arrays(64), objects(64), mixed(64)]) expect(outcome(text)).toBeUndefined();
  });

  test('may not be 65 deep', () => {
    for (const text of [arrays(65), objects(65), mixed(66)]) expect(outcome(text)).toBe('invalid_request');
  });

  test('counts what is open, not what there is', () => {
    expect(outcome(`[${Array(1000).fill('[[]]').join(',')}]`)).toBeUndefined();
  });

  test('does not count braces inside strings, whatever quotes are escaped before them', () => {
    const braces = '[{'.repeat(100);
    for (const text of [`"${braces}"`, `"\\"${braces}"`, `"\\\\","${braces}"`, `{"${braces}":"}]"}`])
      expect(
        codeOf(() => checkStrictJson(text)),
        text,
      ).toBeUndefined();
    expect(outcome(`{"a":"}","a":1}`)).toBe('invalid_request');
    expect(outcome(`{"a":"\\"}","a":1}`)).toBe('invalid_request');
    expect(outcome(`{"a":"\\\\","a":1}`)).toBe('invalid_request');
  });

  test('of 256 KiB is refused, not overflowed', () => {
    expect(codeOf(() => checkStrictJson('['.repeat(256 * 1024)))).toBe('invalid_request');
    expect(codeOf(() => checkStrictJson('{"a":'.repeat(50_000)))).toBe('invalid_request');
  });
});

describe('a string of 1 MiB is read', () => {
  const MIB = 1024 * 1024;

  test.each([
    ['of one letter', 'x'.repeat(MIB)],
    ['of escaped line breaks', '\\n'.repeat(MIB / 2)],
    ['of escaped quotes', '\\"'.repeat(MIB / 2)],
    ['of escaped letters', '\\u0061'.repeat(MIB / 6)],
    ['of pairs of surrogates', '😀'.repeat(MIB / 4)],
    ['of braces', '[{'.repeat(MIB / 2)],
    ['of line breaks as they are', '\u2028'.repeat(MIB / 3)],
  ])('%s', (_name, content) => {
    expect(outcome(`{"painput":"${content}"}`)).toBeUndefined();
  });
});

test('100,000 names of one object are compared', () => {
  const names = Array.from({ length: 100_000 }, (_, index) => `"${index}":1`);
  expect(outcome(`{${names.join(',')}}`)).toBeUndefined();
  expect(refusal(() => check(`{${[...names, '"99999":1'].join(',')}}`))?.fields).toEqual(['99999']);
});

test.each([
  ['{"a":1,"a":2}', 'a', 'Property names must not be repeated'],
  ['{"constructor":1}', 'constructor', 'This property name is not allowed'],
  ['"\\ud800"', 'body', 'Strings must be well-formed Unicode'],
  [`${'['.repeat(65)}${']'.repeat(65)}`, 'body', 'Nesting must be at most 64 deep'],
])('%s is refused with a reason', (text, field, message) => {
  expect(() => check(text)).toThrow(expect.objectContaining({ errors: [{ field, message }] }));
});

test('a string that no parser reads is refused as malformed, should it come here at all', () => {
  expect(() => checkStrictJson('"\\x"')).toThrow(
    expect.objectContaining({ errors: [{ field: 'body', message: 'Must be well-formed JSON' }] }),
  );
});
