import { expect, test } from 'vitest';
import { parsePattern } from '#infra/local/services/event-bus/event-pattern';

const event = {
  source: 'core.account',
  'detail-type': 'user_cancel',
  detail: {
    version: '1',
    transition: 3,
    apps: ['core', 'crm'],
    nothing: null,
    teams: ['OPS a', 'FIN b'].map((team) => ({ short: team.slice(0, 3), roles: [team.slice(4)] })),
  },
};

test.each<[boolean, object]>([
  [true, { source: ['other', 'core.account'] }],
  [true, { source: ['core.account'], 'detail-type': ['user_cancel'] }],
  [true, { detail: { transition: [3], nothing: [null] } }],
  [true, { detail: { apps: ['crm', 'erp'] } }],
  [true, { detail: { teams: { short: ['FIN'], roles: ['b'] } } }],
  [false, { source: ['core'] }],
  [false, { source: ['core.account'], 'detail-type': ['user_lock'] }],
  [false, { detail: { transition: ['3'] } }],
  [false, { detail: { missing: [null] } }],
  [false, { detail: { apps: ['erp'] } }],
  [false, { detail: { teams: { short: ['FIN'], roles: ['a'] } } }],
  [false, { source: { nested: ['core.account'] } }],
  [false, { detail: ['user_cancel'] }],
])('a pattern answers %s for the event when it is %j', (expected, pattern) => {
  expect(parsePattern(JSON.stringify(pattern))(event)).toBe(expected);
});

test.each([
  ['{', 'JSON'],
  ['[]', 'the pattern must be an object'],
  ['{}', 'the pattern must be an object'],
  ['{"detail":{}}', 'detail must be an object'],
  ['{"source":"core.account"}', 'source must be an object with fields, or an array'],
  ['{"source":[]}', 'source must be an array of exact values'],
  ['{"detail":{"app":[{"prefix":"c"}]}}', 'app must be an array of exact values'],
])('a pattern %s is refused', (text, reason) => {
  expect(() => parsePattern(text)).toThrow(reason);
});
