import { describe, expect, test } from 'vitest';
import { parsePattern } from '#infra/local/services/event-pattern';

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

describe('a pattern', () => {
  test.each([
    { source: ['other', 'core.account'] },
    { source: ['core.account'], 'detail-type': ['user_cancel'] },
    { detail: { transition: [3], nothing: [null] } },
    { detail: { apps: ['crm', 'erp'] } },
    { detail: { teams: { short: ['FIN'], roles: ['b'] } } },
  ])('%j matches', (pattern) => {
    expect(parsePattern(JSON.stringify(pattern))(event)).toBe(true);
  });

  test.each([
    { source: ['core'] },
    { source: ['core.account'], 'detail-type': ['user_lock'] },
    { detail: { transition: ['3'] } },
    { detail: { missing: [null] } },
    { detail: { apps: ['erp'] } },
    { detail: { teams: { short: ['FIN'], roles: ['a'] } } },
    { source: { nested: ['core.account'] } },
    { detail: ['user_cancel'] },
  ])('%j does not match', (pattern) => {
    expect(parsePattern(JSON.stringify(pattern))(event)).toBe(false);
  });

  test.each([
    ['{', 'JSON'],
    ['[]', 'the pattern must be an object'],
    ['{}', 'the pattern must be an object'],
    ['{"detail":{}}', 'detail must be an object'],
    ['{"source":"core.account"}', 'source must be an object with fields, or an array'],
    ['{"source":[]}', 'source must be an array of exact values'],
    ['{"detail":{"app":[{"prefix":"c"}]}}', 'app must be an array of exact values'],
  ])('%s is refused', (text, reason) => {
    expect(() => parsePattern(text)).toThrow(reason);
  });
});
