import { expect, it } from 'vitest';
import { LOG_METRICS } from '#infra/aws/monitoring/log-metrics';
import { contract as login } from '#lib/login/login.contract';
import { contract as assertion } from '#lib/passkey/passkey-assert.contract';
import { NO_KEY } from '#lib/session/signing-key';
import { matches } from './filter-pattern.ts';
import { logGroupOf, render, synthesize } from './synth.ts';

const stack = synthesize();

it('each metric is filtered from the log of the functions or of the gateway, by one filter', () => {
  const filters = stack.of('AWS::Logs::MetricFilter').map(({ Properties }) => {
    const [metric] = Properties['MetricTransformations'] as object[];
    return { log: render(Properties['LogGroupName']), pattern: Properties['FilterPattern'], metric };
  });
  const accessLog = stack.of('AWS::Logs::LogGroup').find(({ id }) => id.startsWith('Observabilityapi'));
  const logs = { functions: logGroupOf(stack, login.id), gateway: `\${${accessLog?.id}}` };
  const expected = LOG_METRICS.map(({ name, log, pattern, value = '1', absent, dimensions }) => ({
    log: logs[log ?? 'functions'],
    pattern,
    metric: {
      MetricNamespace: 'CoreAccount/core-account',
      MetricName: name,
      MetricValue: value,
      DefaultValue: absent,
      Dimensions: dimensions && Object.entries(dimensions).map(([Key, Value]) => ({ Key, Value })),
    },
  }));
  const byName = <T extends { metric?: object | undefined }>(all: T[]) =>
    Map.groupBy(all, ({ metric }) => (metric as { MetricName: string }).MetricName);
  expect(byName(filters)).toEqual(byName(expected));
});

it('dimensions are routes and outcomes, and never identify a caller', () => {
  const fields = LOG_METRICS.flatMap(({ dimensions = {} }) => Object.values(dimensions));
  expect([...new Set(fields)].sort()).toEqual(['$.function', '$.outcome']);
});

it.each<[string, object, string[]]>([
  ['nothing for a success', { function: 'system.ping', outcome: 'success', status: 200, ms: 3 }, []],
  ['a login with a wrong password', { function: login.id, status: 401 }, ['FailedLogins']],
  ['a login after too many', { function: login.id, status: 429 }, ['FailedLogins']],
  ['a login with a wrong passkey', { function: assertion.id, status: 401 }, ['FailedLogins']],
  [
    'a missing key for other services',
    { message: NO_KEY, level: 'error', signs: 'resources' },
    ['MissingResourceKeys'],
  ],
  [
    'nothing for a missing key of sessions, whose logins fail',
    { message: NO_KEY, level: 'error', signs: 'sessions' },
    [],
  ],
  ['the age of a key for other services', { signs: 'resources', keyAgeDays: 1 }, ['SigningKeyAge']],
  ['nothing for an invalid login', { function: login.id, status: 400 }, []],
])('metrics of log lines count %s', (_what, line, expected) => {
  const found = LOG_METRICS.filter(({ pattern }) => matches(pattern, { level: 'info', ...line }));
  expect(found.map(({ name }) => name)).toEqual(expected);
});

const { Format } = stack.one('AWS::ApiGatewayV2::Stage').Properties['AccessLogSettings'] as {
  Format: string;
};
const CRASH = 'The Lambda function returned an error.';
const THROTTLED = 'Lambda invocation failed with status: 429.';

it.each<[string, Record<string, string>, string[]]>([
  ['nothing for an answer', { status: '200', integrationStatus: '200' }, []],
  ['nothing for a 503 of the function itself', { status: '503', integrationStatus: '200' }, []],
  ['nothing for an unknown route', { status: '404' }, []],
  ['a crash', { integrationStatus: '200', integrationErrorMessage: CRASH }, ['FunctionErrors']],
  ['a throttle by its status', { status: '503', integrationStatus: '429' }, ['FunctionThrottles']],
  ['a throttle by its message', { integrationErrorMessage: THROTTLED }, ['FunctionThrottles']],
])('metrics of the access log count %s', (_what, values, expected) => {
  // The gateway writes `-` for a value that a request does not have.
  const line = JSON.parse(Format.replace(/\$context\.([\w.]+)/g, (_, name: string) => values[name] ?? '-'));
  const found = LOG_METRICS.filter(({ log, pattern }) => log === 'gateway' && matches(pattern, line));
  expect(found.map(({ name }) => name)).toEqual(expected);
});
