import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type ExecutionEnvironment,
  openExecutionEnvironment,
} from '#infra/local/lambda/execution-environment';
import { openFunctionLog } from '#infra/local/lambda/function-log';
import { ENOUGH, IDLE_MS, openPool, STUCK_MS } from '#infra/local/lambda/pool';

const folder = mkdtempSync(join(tmpdir(), 'functions-'));
const log = openFunctionLog(join(folder, 'functions.log'), join(folder, 'audit.jsonl'));
const file = join(folder, 'function.cjs');
// What runs in a thread has a clock of its own.
writeFileSync(file, 'exports.handler = ({ ms }) => new Promise((done) => setTimeout(done, ms));');

let opened: ExecutionEnvironment[];
let pool: ReturnType<typeof openPool>;
const take = (ms: number) => pool.invoke(JSON.stringify({ ms }), 'request-1');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'performance'] });
  opened = [];
  pool = openPool(() => {
    const environment = openExecutionEnvironment({ id: 'test.function', file, memory: 128 }, {}, log);
    opened.push(environment);
    return environment;
  }, 600_000);
});

afterEach(async () => {
  vi.useRealTimers();
  await pool.close();
});

describe('the execution environments of a function', () => {
  test('are as many as there are processors, however many requests come at once', async () => {
    await Promise.all(Array.from({ length: 40 }, () => take(1)));
    expect(opened.length).toBe(ENOUGH);
  });

  test('become more where none of them answers', async () => {
    const stuck = Array.from({ length: ENOUGH }, () => take(600_000).catch(() => undefined));
    const last = take(1);
    await vi.advanceTimersByTimeAsync(STUCK_MS - 1);
    expect(opened.length).toBe(ENOUGH);
    await vi.advanceTimersByTimeAsync(1);
    await last;
    expect(opened.length).toBe(ENOUGH + 1);
    await pool.close();
    await Promise.all(stuck);
  });

  test('end once nobody has used them for a while, those in use not', async () => {
    await Promise.all([take(1), take(1)]);
    expect(opened.length).toBe(2);
    await vi.advanceTimersByTimeAsync(IDLE_MS / 2);
    await take(1);
    await vi.advanceTimersByTimeAsync(IDLE_MS);
    expect(opened.filter(({ usable }) => usable).length).toBe(1);
    await vi.advanceTimersByTimeAsync(IDLE_MS);
    expect(opened.filter(({ usable }) => usable)).toEqual([]);
    await take(1);
    expect(opened.length).toBe(3);
  });
});
