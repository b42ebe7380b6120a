import { describe, expect, test } from 'vitest';
import { compilePattern, parsePattern } from '#infra/local/services/event-pattern';

/** The event that AWS's own descriptions of patterns use, with some fields more. */
const event = {
  version: '0',
  'detail-type': 'EC2 Instance State-change Notification',
  source: 'aws.ec2',
  time: '2017-10-02T16:24:49Z',
  resources: ['arn:aws:ec2:us-east-1:123456789012:instance/i-000000aaaaaa00000', 'second'],
  detail: {
    'c-count': 5,
    'd-count': 3,
    'x-limit': 301.8,
    'source-ip': '10.0.0.33',
    'source-ip6': '2001:db8::33',
    'instance-id': 'i-000000aaaaaa00000',
    state: 'running',
    FileName: '/users/dir/lib/photo.png',
    stars: 'a*b\\c',
    empty: '',
    nothing: null,
    isRoot: true,
    none: [],
    grid: [['a'], [['b']]],
    groups: [
      { name: 'x', members: [{ n: 1 }, { n: 2 }] },
      { name: 'y', members: [{ n: 3 }] },
    ],
    employees: [
      { first: 'John', last: 'Doe' },
      [{ first: 'Anna', last: 'Smith', phone: { home: '1' } }],
      { first: 'Peter', last: 'Jones' },
    ],
  },
};

/** A pattern of one field of the detail. */
const of = (field: string, ...conditions: unknown[]) => ({ detail: { [field]: conditions } });

/** Patterns by what they are about: those that match the event, and those that do not. */
const CASES: Readonly<Record<string, readonly [matching: readonly object[], others: readonly object[]]>> = {
  equality: [
    [
      { source: ['other', 'aws.ec2'] },
      of('c-count', 5),
      of('c-count', 5.0),
      of('nothing', null),
      of('isRoot', true),
      of('empty', ''),
    ],
    [{ source: ['ec2'] }, of('c-count', '5'), of('nothing', ''), of('isRoot', 'true'), of('missing', null)],
  ],
  'all fields': [
    [{ source: ['aws.ec2'], detail: { state: ['initializing', 'running'], 'c-count': [5] } }],
    [{ source: ['aws.ec2'], detail: { state: ['running'], 'c-count': [6] } }],
  ],
  nesting: [
    [{ detail: { employees: { phone: { home: ['1'] } } } }],
    [{ source: { nested: ['aws.ec2'] } }, { detail: ['running'] }],
  ],
  arrays: [
    [{ resources: ['second'] }, of('grid', 'b'), { detail: { employees: { first: ['Anna'] } } }],
    [{ resources: ['third'] }, of('none', null), of('toString', 'x')],
  ],
  'one element of an array': [
    [
      { detail: { employees: { first: ['Anna'], last: ['Smith'] } } },
      { detail: { groups: { name: ['x'], members: { n: [2] } } } },
    ],
    [
      { detail: { employees: { first: ['Anna'], last: ['Jones'] } } },
      { detail: { groups: { name: ['x'], members: { n: [3] } } } },
    ],
  ],
  prefix: [
    [{ time: [{ prefix: '2017-10-02' }] }, of('state', { prefix: { 'equals-ignore-case': 'RUN' } })],
    [{ time: [{ prefix: '10-02' }] }, of('c-count', { prefix: '5' }), of('state', { prefix: 'RUN' })],
  ],
  suffix: [
    [{ source: [{ suffix: 'ec2' }] }, of('state', { suffix: { 'equals-ignore-case': 'NING' } })],
    [{ source: [{ suffix: 'aws' }] }, of('c-count', { suffix: '5' })],
  ],
  'equals-ignore-case': [
    [{ source: [{ 'equals-ignore-case': 'AWS.ec2' }] }],
    [{ source: [{ 'equals-ignore-case': 'EC2' }] }, of('c-count', { 'equals-ignore-case': '5' })],
  ],
  wildcard: [
    ['*', '*.png', '/users/*', '*/lib/*', '/users/*lib*photo*', '/users/dir/lib/photo.png']
      .map((pattern) => of('FileName', { wildcard: pattern }))
      .concat(of('stars', { wildcard: 'a\\*b\\\\*' })),
    ['*.jpg', 'users/*', '*/lib', '/users/dir/lib/photo.png*.png', '*photo*lib*', '']
      .map((pattern) => of('FileName', { wildcard: pattern }))
      .concat(of('stars', { wildcard: 'a\\*c*' }), of('c-count', { wildcard: '*' })),
  ],
  'anything-but': [
    [
      of('state', { 'anything-but': 'initializing' }),
      of('state', { 'anything-but': ['stopped', 'overloaded'] }),
      of('x-limit', { 'anything-but': 123 }),
      of('x-limit', { 'anything-but': [100, 200, 300] }),
      of('state', { 'anything-but': { prefix: 'init' } }),
      of('state', { 'anything-but': { suffix: ['ed', 'zing'] } }),
      of('state', { 'anything-but': { 'equals-ignore-case': ['STOPPED'] } }),
      of('state', { 'anything-but': { wildcard: '*stop*' } }),
      of('c-count', { 'anything-but': { prefix: '5' } }),
      { resources: [{ 'anything-but': 'second' }] },
    ],
    [
      of('state', { 'anything-but': 'running' }),
      of('state', { 'anything-but': ['stopped', 'running'] }),
      of('x-limit', { 'anything-but': [100, 301.8] }),
      of('state', { 'anything-but': { prefix: 'run' } }),
      of('state', { 'anything-but': { prefix: ['x', 'run'] } }),
      of('state', { 'anything-but': { suffix: 'ing' } }),
      of('state', { 'anything-but': { 'equals-ignore-case': 'RUNNING' } }),
      of('FileName', { 'anything-but': { wildcard: '*/lib/*' } }),
      of('missing', { 'anything-but': 'x' }),
    ],
  ],
  numeric: [
    [
      of('c-count', { numeric: ['>', 0, '<=', 5] }),
      of('d-count', { numeric: ['<', 10] }),
      of('x-limit', { numeric: ['=', 3.018e2] }),
      of('c-count', { numeric: ['>=', 5] }),
    ],
    [
      of('c-count', { numeric: ['>', 5] }),
      of('c-count', { numeric: ['>=', 0, '<', 5] }),
      of('c-count', { numeric: ['=', 5.1] }),
      of('empty', { numeric: ['<', 1] }),
      of('nothing', { numeric: ['<', 1] }),
    ],
  ],
  cidr: [
    [of('source-ip', { cidr: '10.0.0.0/24' }), of('source-ip6', { cidr: '2001:db8::/32' })],
    [
      of('source-ip', { cidr: '10.0.1.0/24' }),
      of('source-ip', { cidr: '::/0' }),
      of('state', { cidr: '0.0.0.0/0' }),
    ],
  ],
  exists: [
    [
      of('c-count', { exists: true }),
      of('nothing', { exists: true }),
      of('missing', { exists: false }),
      of('missing', 'x', { exists: false }),
      of('state', 'running', { exists: false }),
      // It is about leaves: an object is none, and an empty array has none.
      of('employees', { exists: false }),
      of('none', { exists: false }),
      { detail: { missing: { deeper: [{ exists: false }] } } },
    ],
    [
      of('missing', { exists: true }),
      of('state', { exists: false }),
      of('employees', { exists: true }),
      { detail: { employees: { first: [{ exists: false }] } } },
      { detail: { employees: { first: ['John'], phone: { home: [{ exists: false }] } } } },
    ],
  ],
  $or: [
    [
      { $or: [{ source: ['x'] }, { 'detail-type': [{ prefix: 'EC2' }] }] },
      { source: ['aws.ec2'], detail: { $or: [{ 'c-count': [9] }, { 'd-count': [3], state: ['running'] }] } },
      { $or: [{ source: ['x'] }, { $or: [{ version: ['1'] }, { version: ['0'] }] }] },
    ],
    [
      { source: ['x'], $or: [{ version: ['0'] }, { 'detail-type': ['x'] }] },
      { $or: [{ source: ['x'] }, { detail: { state: ['stopped'] } }] },
      { detail: { $or: [{ 'c-count': [9] }, { 'd-count': [3], state: ['stopped'] }] } },
      { detail: { employees: { first: ['Anna'], $or: [{ last: ['Doe'] }, { last: ['Jones'] }] } } },
    ],
  ],
};

describe.each(Object.entries(CASES))('%s', (_, [matching, others]) => {
  test.each(matching.map((pattern) => [pattern]))('%j matches', (pattern) => {
    expect(compilePattern(pattern)(event)).toBe(true);
  });

  test.each(others.map((pattern) => [pattern]))('%j does not match', (pattern) => {
    expect(compilePattern(pattern)(event)).toBe(false);
  });
});

test.each([
  ['', 'it is not JSON'],
  ['{', 'it is not JSON'],
  ['[]', 'it is not an object'],
  ['"x"', 'it is not an object'],
  [`{"source":["${'x'.repeat(4096)}"]}`, 'longer than 4096'],
  ['{}', 'empty objects are not allowed'],
  ['{"detail":{}}', 'empty objects are not allowed (at detail)'],
  ['{"source":[]}', 'empty arrays are not allowed (at source)'],
  ['{"source":"core.account"}', '"source" must be an object or an array (at source)'],
  ['{"detail":{"app":7}}', '"app" must be an object or an array (at detail.app)'],
  ['{"source":[["x"]]}', 'a value must be no array'],
  ['{"source":[{}]}', 'one key, not 0'],
  ['{"source":[{"prefix":"a","suffix":"b"}]}', 'one key, not 2'],
  ['{"source":[{"Prefix":"a"}]}', 'unrecognized match type "Prefix" (at source)'],
  ['{"source":[{"toString":"a"}]}', 'unrecognized match type "toString"'],
  ['{"source":[{"prefix":1}]}', 'the value of prefix must be a string'],
  ['{"source":[{"suffix":{"prefix":"x"}}]}', 'the value of suffix must be a string, or equals-ignore-case'],
  ['{"source":[{"wildcard":{"equals-ignore-case":"x"}}]}', 'the value of wildcard must be a string'],
  ['{"source":[{"wildcard":"a**b"}]}', 'consecutive wildcard characters'],
  ['{"source":[{"wildcard":"a\\\\b"}]}', 'a backslash stands before'],
  ['{"source":[{"wildcard":"a\\\\"}]}', 'a backslash stands before'],
  ['{"source":[{"exists":"true"}]}', 'the value of exists must be true or false'],
  ['{"source":[{"anything-but":[]}]}', 'anything-but takes strings only, or numbers only'],
  ['{"source":[{"anything-but":["a",1]}]}', 'anything-but takes strings only, or numbers only'],
  ['{"source":[{"anything-but":true}]}', 'anything-but takes strings only, or numbers only'],
  ['{"source":[{"anything-but":{"numeric":["=",1]}}]}', 'anything-but does not take "numeric"'],
  ['{"source":[{"anything-but":{"prefix":""}}]}', 'none of them empty'],
  ['{"source":[{"numeric":5}]}', 'a list of one or two comparisons'],
  ['{"source":[{"numeric":["=",1,"<"]}]}', 'a list of one or two comparisons'],
  ['{"source":[{"numeric":["!=",1]}]}', 'unrecognized numeric operator "!="'],
  ['{"source":[{"numeric":["=","1"]}]}', 'must be a number'],
  ['{"source":[{"numeric":["<",5000000001]}]}', 'from -5e9 to 5e9'],
  ['{"source":[{"numeric":["<",5,">",1]}]}', 'its lower bound first'],
  ['{"source":[{"numeric":[">",5,"<",1]}]}', 'its lower bound first'],
  ['{"source":[{"cidr":"10.0.0.0"}]}', 'a block such as'],
  ['{"source":[{"cidr":"10.0.0.0/33"}]}', 'a block such as'],
  ['{"$or":[{"source":["x"]}]}', 'an array of two objects or more (at $or)'],
  ['{"detail":{"$or":{"app":["x"]}}}', 'an array of two objects or more (at detail.$or)'],
  ['{"$or":[{"prefix":["x"]},{"source":["x"]}]}', '"prefix" cannot name a field in $or'],
])('the pattern %s is refused as PutRule refuses it: %s', (text, reason) => {
  expect(() => parsePattern(text)).toThrow(
    expect.objectContaining({
      name: 'InvalidEventPatternException',
      message: expect.stringContaining(`Event pattern is not valid. Reason: `),
    }),
  );
  expect(() => parsePattern(text)).toThrow(reason);
});

test('a wildcard takes no longer with more stars', () => {
  const pattern = compilePattern({ a: [{ wildcard: `${'*a'.repeat(40)}*b` }] });
  expect(pattern({ a: 'a'.repeat(200_000) })).toBe(false);
});
