import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { GATEWAY_LOG, LOG_METRICS } from '#infra/aws/monitoring/log-metrics';
import { createAccount } from '#lib/account/create';
import { PER_NAME } from '#lib/login/attempts';
import { attemptsOnNameKey } from '#lib/table/keys';
import { put } from '#lib/table/write';
import { openTarget } from '../../infra/admin/target.ts';
import { bundle } from '../../infra/bundle.ts';
import { type InstanceProcess, startInstance } from '../integration/instance-process.ts';
import { matches } from './filter-pattern.ts';

type Line = Readonly<Record<string, unknown>>;

const data = mkdtempSync(join(tmpdir(), 'log-metrics-'));
let instance: InstanceProcess;

const USERNAME = 'somebody-with-a-name';
const linesNow = (): Line[] =>
  readFileSync(join(data, 'functions.log'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

/** The lines that functions log for a refused login with a lockout, a refused ping and a sweep. */
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

/** The lines that a metric counts. */
const counted = (name: string, log?: string) => {
  const metric = LOG_METRICS.find((one) => one.name === name && (log === undefined || one.log === log));
  if (!metric) throw new Error(`There is no metric ${name}`);
  return lines.filter((line) => matches(metric.pattern, line));
};
const ofFunctions = LOG_METRICS.filter(({ log }) => log !== GATEWAY_LOG);

it.each([
  ['Outcomes', 'account.login', { function: 'account.login', outcome: 'refused', status: 401 }],
  ['Outcomes', 'system.ping', { function: 'system.ping', outcome: 'refused', status: 401 }],
  ['ColdStarts', 'account.login', { function: 'account.login', start: 'cold' }],
  ['FailedLogins', undefined, { function: 'account.login', status: 401 }],
  ['Lockouts', undefined, { level: 'warn' }],
  ['SigningKeyAge', undefined, { keyAgeDays: 0 }],
  ['OldestPendingEvent', undefined, { function: 'events.relay-outbox', oldestPendingSeconds: 0 }],
  ['EventsSetAside', undefined, { function: 'events.relay-outbox', setAside: 0 }],
])('the metric %s %s counts a line that a function logged', (name, log, expected) => {
  expect(counted(name, log)).toContainEqual(expect.objectContaining(expected));
});

it('each metric of functions counts lines with its value and its dimensions, and without usernames', () => {
  for (const { name, value, dimensions = {} } of ofFunctions) {
    expect(counted(name), name).not.toEqual([]);
    for (const line of counted(name)) {
      if (value) expect(line[value.slice(2)]).toEqual(expect.any(Number));
      for (const field of Object.values(dimensions)) expect(line[field.slice(2)]).toEqual(expect.any(String));
    }
    expect(JSON.stringify(counted(name))).not.toContain(USERNAME);
  }
});
