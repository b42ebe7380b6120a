import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  type ExecutionEnvironment,
  openExecutionEnvironment,
} from '#infra/local/services/lambda/execution-environment';
import { IDLE_MS, MAX_ENVIRONMENTS, openPool } from '#infra/local/services/lambda/pool';
import { newFolder } from '../support/folder.ts';

const file = join(newFolder(), 'function.cjs');
// A thread has a clock of its own.
writeFileSync(
  file,
  `exports.handler = async ({ ms, exits }) => {
    await new Promise((done) => setTimeout(done, ms));
    if (exits) setTimeout(process.exit, 10);
  };`,
);

const NEVER = 600_000;
const log = { take: () => undefined };
let opened: ExecutionEnvironment[];
let pool: ReturnType<typeof openPool>;
const invoke = (ms = 1, exits = false) => pool.invoke(JSON.stringify({ ms, exits }), 'request-1');
const invokeMany = (n: number, ms?: number, exits?: boolean) =>
  Array.from({ length: n }, () => invoke(ms, exits));
const usable = () => opened.filter((environment) => environment.usable).length;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  opened = [];
  pool = openPool(() => {
    const environment = openExecutionEnvironment({ id: 'test.function', file, memory: 128 }, {}, log);
    opened.push(environment);
    return environment;
  }, NEVER);
});

afterEach(async () => {
  vi.useRealTimers();
  await pool.close();
});

test('the pool of a function opens no more environments than its maximum for any number of requests', async () => {
  await Promise.all(invokeMany(40));
  expect(opened.length).toBe(MAX_ENVIRONMENTS);
});

test('the pool of a function ends environments that are idle, and uses the latest one next', async () => {
  await Promise.all(invokeMany(2));
  await vi.advanceTimersByTimeAsync(IDLE_MS / 2);
  for (let n = 0; n < 2; n++) await invoke();
  await vi.advanceTimersByTimeAsync(IDLE_MS);
  expect(usable()).toBe(1);
  await vi.advanceTimersByTimeAsync(IDLE_MS);
  expect(usable()).toBe(0);
  await invoke();
  expect(opened.length).toBe(3);
});

test('the pool of a function ends environments that are retired, one in use after its answer', async () => {
  await Promise.all(invokeMany(2));
  const last = invoke();
  pool.retire();
  expect(usable()).toBe(1);
  await last;
  expect(usable()).toBe(0);
});

test('the pool of a function replaces environments that have exited', async () => {
  await Promise.all(invokeMany(MAX_ENVIRONMENTS, 1, true));
  while (usable() > 0) await setImmediate();
  await invoke();
  expect(opened.length).toBe(MAX_ENVIRONMENTS + 1);
});

test('the pool of a function ends all requests when it closes, those that wait for an environment too', async () => {
  let ended = 0;
  for (const request of invokeMany(3 * MAX_ENVIRONMENTS, NEVER)) request.catch(() => ended++);
  await pool.close();
  await expect.poll(() => ended).toBe(3 * MAX_ENVIRONMENTS);
});
