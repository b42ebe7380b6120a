import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type ExecutionEnvironment,
  openExecutionEnvironment,
} from '#infra/local/lambda/execution-environment';
import { openFunctionLog } from '#infra/local/lambda/function-log';
import { ENOUGH, IDLE_MS, MAX_ENVIRONMENTS, openPool, STUCK_MS } from '#infra/local/lambda/pool';

const folder = mkdtempSync(join(tmpdir(), 'functions-'));
const log = openFunctionLog(join(folder, 'functions.log'), join(folder, 'audit.jsonl'));
const file = join(folder, 'function.cjs');
// What runs in a thread has a clock of its own.
writeFileSync(
  file,
  `exports.handler = async ({ ms, exits }) => {
    await new Promise((done) => setTimeout(done, ms));
    if (exits) setTimeout(process.exit, 10);
  };`,
);

let opened: ExecutionEnvironment[];
let pool: ReturnType<typeof openPool>;
const take = (ms: number, exits = false) => pool.invoke(JSON.stringify({ ms, exits }), 'request-1');
const takeMany = (n: number, ms: number) => Array.from({ length: n }, () => take(ms));

const NEVER = 600_000;

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

describe('the execution environments of a function', () => {
  test('are as many as there are processors, however many requests come at once', async () => {
    await Promise.all(takeMany(40, 1));
    expect(opened.length).toBe(ENOUGH);
  });

  test('become more where none of them answers, one at a time, up to a limit', async () => {
    const stuck = Promise.allSettled(takeMany(MAX_ENVIRONMENTS + 1, NEVER));
    await vi.advanceTimersByTimeAsync(STUCK_MS - 1);
    const sizes = [opened.length];
    for (let n = ENOUGH; n <= MAX_ENVIRONMENTS; n++) {
      await vi.advanceTimersByTimeAsync(n === ENOUGH ? 1 : STUCK_MS);
      sizes.push(opened.length);
    }
    const more = Array.from({ length: MAX_ENVIRONMENTS - ENOUGH }, (_, n) => ENOUGH + 1 + n);
    expect(sizes).toEqual([ENOUGH, ...more, MAX_ENVIRONMENTS]);
    await pool.close();
    await stuck;
  });

  test('become no more as long as one of them answers', async () => {
    const stuck = Promise.allSettled(takeMany(ENOUGH - 1, NEVER));
    const [first, ...others] = takeMany(3, 1);
    vi.advanceTimersByTime(STUCK_MS - 1);
    await first;
    vi.advanceTimersByTime(1);
    await Promise.all(others);
    expect(opened.length).toBe(ENOUGH);
    await pool.close();
    await stuck;
  });

  test('become more where none answers after a time in which nobody waited', async () => {
    await Promise.all(takeMany(ENOUGH + 1, 1));
    await vi.advanceTimersByTimeAsync(STUCK_MS);
    const stuck = Promise.allSettled(takeMany(ENOUGH, NEVER));
    const last = take(1);
    await vi.advanceTimersByTimeAsync(STUCK_MS);
    await last;
    expect(opened.length).toBe(ENOUGH + 1);
    await pool.close();
    await stuck;
  });

  test('are as few as before once the additional ones have ended', async () => {
    const slow = takeMany(ENOUGH + 1, 50);
    vi.advanceTimersByTime(STUCK_MS);
    await Promise.all(slow);
    expect(opened.length).toBe(ENOUGH + 1);
    await vi.advanceTimersByTimeAsync(2 * IDLE_MS);
    opened = [];
    await Promise.all(takeMany(40, 1));
    expect(opened.length).toBe(ENOUGH);
  });

  test('end once nobody has used them for a while, those in use not', async () => {
    await Promise.all([take(1), take(1)]);
    expect(opened.length).toBe(2);
    await vi.advanceTimersByTimeAsync(IDLE_MS / 2);
    // The one used last is used next.
    for (let n = 0; n < 2; n++) await take(1);
    await vi.advanceTimersByTimeAsync(IDLE_MS);
    expect(opened.filter(({ usable }) => usable).length).toBe(1);
    await vi.advanceTimersByTimeAsync(IDLE_MS);
    expect(opened.filter(({ usable }) => usable)).toEqual([]);
    await take(1);
    expect(opened.length).toBe(3);
  });

  test('end once they are retired, one in use as soon as it has answered', async () => {
    await Promise.all([take(1), take(1)]);
    const usable = () => opened.filter(({ usable }) => usable).length;
    const last = take(1);
    pool.retire();
    expect(usable()).toBe(1);
    await last;
    expect(usable()).toBe(0);
    await take(1);
    expect(opened.length).toBe(3);
  });

  test('make room for others where they have exited by themselves', async () => {
    await Promise.all(Array.from({ length: ENOUGH }, () => take(1, true)));
    while (opened.some(({ usable }) => usable)) await setImmediate();
    await take(1);
    expect(opened.length).toBe(ENOUGH + 1);
  });

  test('refuse what waits for them, and what comes later, once the instance stops', async () => {
    const stuck = Promise.allSettled(takeMany(ENOUGH, NEVER));
    const waiting = Promise.allSettled(takeMany(2 * ENOUGH, 1));
    await pool.close();
    const stopped = { status: 'rejected', reason: new Error('The instance stops') };
    expect(await waiting).toEqual(Array(2 * ENOUGH).fill(stopped));
    await expect(take(1)).rejects.toThrow('The instance stops');
    expect(opened.length).toBe(ENOUGH);
    await stuck;
  });
});
