import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { GATEWAY_LOG, LOG_METRICS } from '#infra/aws/monitoring/log-metrics';
import { createAccount } from '#lib/account/create';
import { PER_NAME } from '#lib/login/attempts';
import { attemptsOnNameKey } from '#lib/table/keys';
import { put } from '#lib/table/write';
import { openTarget } from '../../infra/admin/target.ts';
import { bundle } from '../../infra/bundle.ts';
import { type InstanceProcess, startInstance } from '../integration/instance-process.ts';
import { matches } from './filter-pattern.ts';
import { synthesize } from './synth.ts';

type Line = Readonly<Record<string, unknown>>;

const data = mkdtempSync(join(tmpdir(), 'log-metrics-'));
let instance: InstanceProcess;

const USERNAME = 'somebody-with-a-name';
const linesNow = (): Line[] =>
  readFileSync(join(data, 'functions.log'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

/** What the real functions log of a login, refused logins, a lockout and a sweep. */
let lines: Line[];

beforeAll(async () => {
  await bundle();
  instance = await startInstance({ data, env: { Settings__BcryptCost: '10' } });
  const { runtime } = await openTarget({ data });
  await createAccount(runtime, { username: USERNAME, password: 'correct horse' });
  const logIn = (password: string) =>
    fetch(`${instance.ready.url}/api/core/account/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: USERNAME, password }),
    });
  const failures = Array.from({ length: PER_NAME.max - 1 }, (_, n) => ({
    id: `${n}`,
    at: Date.now(),
    from: '::2',
  }));
  await put(runtime.table, attemptsOnNameKey(USERNAME), { attempts: failures, revision: 1 });
  await logIn('wrong password');
  await fetch(`${instance.ready.url}/api/core/system/ping`);
  const isSeen = (key: string, value?: string) =>
    linesNow().some((line) => key in line && (value === undefined || line[key] === value));
  await vi.waitUntil(() => isSeen('oldestPendingSeconds') && isSeen('function', 'system.ping'), {
    timeout: 60_000,
  });
  await instance.stop();
  lines = linesNow();
}, 300_000);
afterAll(() => rmSync(data, { recursive: true }));

const metric = (name: string, log?: string) => {
  const found = LOG_METRICS.find((one) => one.name === name && (log === undefined || one.log === log));
  if (!found) throw new Error(`There is no metric ${name}`);
  return found;
};

/** The lines of the function of a metric that it counts. */
const counted = (name: string, log?: string) => {
  const { pattern } = metric(name, log);
  return lines.filter((line) => matches(pattern, line));
};

describe('a real log line makes the metric', () => {
  it.each([
    ['Outcomes', 'account.login', { function: 'account.login', outcome: 'refused', status: 401 }],
    ['Outcomes', 'system.ping', { function: 'system.ping', outcome: 'refused', status: 401 }],
    ['ColdStarts', 'account.login', { function: 'account.login', start: 'cold' }],
    ['FailedLogins', undefined, { function: 'account.login', status: 401 }],
    ['Lockouts', undefined, { level: 'warn' }],
    ['SigningKeyAge', undefined, { keyAgeDays: 0 }],
    ['OldestPendingEvent', undefined, { function: 'events.relay-outbox', oldestPendingSeconds: 0 }],
    ['EventsSetAside', undefined, { function: 'events.relay-outbox', setAside: 0 }],
  ])('%s %s', (name, log, expected) => {
    expect(counted(name, log)).toContainEqual(expect.objectContaining(expected));
  });

  it('of each name that is made of functions', () => {
    const silent = LOG_METRICS.filter(({ name, log }) => log !== GATEWAY_LOG && counted(name).length === 0);
    expect(silent).toEqual([]);
  });
});

it('a metric has its value, and its dimensions, where its lines have them', () => {
  for (const { name, log, value, dimensions = {} } of LOG_METRICS) {
    if (log === GATEWAY_LOG) continue;
    for (const line of counted(name)) {
      if (value) expect(line[value.slice(2)]).toEqual(expect.any(Number));
      for (const field of Object.values(dimensions)) expect(line[field.slice(2)]).toEqual(expect.any(String));
    }
  }
});

it('no metric but those of refused logins counts a request that succeeds', () => {
  const success = { level: 'info', function: 'system.ping', outcome: 'success', status: 200, ms: 3 };
  expect(LOG_METRICS.filter(({ pattern }) => matches(pattern, success))).toEqual([]);
});

it('no line that is counted says who it was', () => {
  const telling = LOG_METRICS.flatMap(({ name, log }) => (log === GATEWAY_LOG ? [] : counted(name)));
  expect(JSON.stringify(telling)).not.toContain(USERNAME);
});

describe('the log of the gateway', () => {
  const { Format } = synthesize().one('AWS::ApiGatewayV2::Stage').Properties['AccessLogSettings'] as {
    Format: string;
  };
  /** A line as the gateway writes it: `-` for what a request has not. */
  const lineOf = (values: Record<string, string>) =>
    JSON.parse(Format.replace(/\$context\.([\w.]+)/g, (_, name: string) => values[name] ?? '-')) as Line;

  it.each<[string, Record<string, string>, string[]]>([
    ['an answer', { status: '200', integrationStatus: '200' }, []],
    ['a 503 of the function itself', { status: '503', integrationStatus: '200' }, []],
    ['a route that is not there', { status: '404' }, []],
    [
      'a function that has crashed',
      {
        status: '500',
        integrationStatus: '200',
        integrationErrorMessage: 'The Lambda function returned an error.',
      },
      ['FunctionErrors'],
    ],
    ['a throttled function', { status: '503', integrationStatus: '429' }, ['FunctionThrottles']],
    [
      'a throttled function, by its message',
      { status: '503', integrationErrorMessage: 'Lambda invocation failed with status: 429.' },
      ['FunctionThrottles'],
    ],
  ])('%s', (_what, values, expected) => {
    const found = LOG_METRICS.filter(
      ({ log, pattern }) => log === GATEWAY_LOG && matches(pattern, lineOf(values)),
    );
    expect(found.map(({ name }) => name)).toEqual(expected);
  });
});
