import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  type ExecutionEnvironment,
  openExecutionEnvironment,
} from '#infra/local/lambda/execution-environment';
import { openFunctionLog } from '#infra/local/lambda/function-log';

const folder = mkdtempSync(join(tmpdir(), 'functions-'));
const log = openFunctionLog(join(folder, 'functions.log'), join(folder, 'audit.jsonl'));
let environment: ExecutionEnvironment;

/** An execution environment whose function has this body. */
function open(body: string, memory = 128) {
  const file = join(folder, `${Math.random()}.cjs`);
  writeFileSync(file, `exports.handler = async (event, context) => { ${body} };`);
  environment = openExecutionEnvironment({ id: 'test.function', file, memory }, { ONLY: 'this' }, log);
  return environment;
}

const invoke = (event: unknown, milliseconds = 5000) =>
  environment.invoke({
    requestId: 'request-1',
    event: JSON.stringify(event),
    deadline: Date.now() + milliseconds,
  });

afterEach(() => environment.close());

describe('an execution environment', () => {
  test('answers with what the function returns, invocation after invocation', async () => {
    open('globalThis.count = (globalThis.count ?? 0) + 1; return { ...event, count };');
    expect(await invoke({ a: 1 })).toBe('{"a":1,"count":1}');
    expect(await invoke({ a: 2 })).toBe('{"a":2,"count":2}');
  });

  test('gives the function its own variables, those of Lambda and a context, and nothing else of the process', async () => {
    open(
      'return { env: { ...process.env }, id: context.awsRequestId, ms: context.getRemainingTimeInMillis() };',
    );
    const event = { headers: { 'x-amzn-trace-id': 'Root=1-2-3' } };
    const { env, id, ms } = JSON.parse(await invoke(event)) as { env: object; id: string; ms: number };
    expect(env).toEqual({
      ONLY: 'this',
      AWS_LAMBDA_FUNCTION_NAME: 'test.function',
      _X_AMZN_TRACE_ID: 'Root=1-2-3',
    });
    expect(id).toBe('request-1');
    expect(ms).toBeGreaterThan(0);
    expect(ms).toBeLessThanOrEqual(5000);
    const next = JSON.parse(await invoke({})) as { env: object };
    expect(next.env, 'the trace of another request').toMatchObject({ _X_AMZN_TRACE_ID: '' });
  });

  test('answers null where the function returns nothing', async () => {
    open('');
    expect(await invoke({})).toBe('null');
  });

  test('outlasts the deadline of what it has answered', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    open('return event;');
    await invoke({}, 5000);
    vi.advanceTimersByTime(6000);
    expect(environment.usable).toBe(true);
    expect(await invoke({ a: 1 })).toBe('{"a":1}');
  });

  test('stays usable after the function has thrown', async () => {
    open('if (event.bad) throw new Error("refused"); return "fine";');
    await expect(invoke({ bad: true })).rejects.toThrow('refused');
    expect(environment.usable).toBe(true);
    expect(await invoke({})).toBe('"fine"');
  });

  test.each([
    [
      'runs out of time waiting',
      'await new Promise(() => setInterval(() => {}, 1000));',
      'Timed out after 0.',
    ],
    ['runs out of time computing', 'for (;;);', 'Timed out after 0.'],
    ['exits', 'process.exit(3);', 'Exited with status 3'],
    ['crashes', 'setTimeout(() => { throw new Error("late"); }); await new Promise(() => {});', 'late'],
    ['leaves a rejection', 'Promise.reject(new Error("left")); await new Promise(() => {});', 'left'],
  ])('fails and is used up where the function %s', async (what, body, message) => {
    open(body);
    // Only what runs out of time has little of it: a busy machine takes a while to start the others.
    await expect(invoke({}, what.includes('time') ? 400 : 20_000)).rejects.toThrow(message);
    expect(environment.usable).toBe(false);
  });

  test('fails where the function needs more memory than it has', async () => {
    open('const all = []; for (;;) all.push(new Array(1e5).fill(0).map(() => ({})));', 32);
    await expect(invoke({}, 20_000)).rejects.toThrow('memory');
  }, 30_000);

  test('keeps what the function writes in the log', async () => {
    open('console.log("to out"); console.error("to err");');
    await invoke({});
    await expect.poll(() => readFileSync(log.path, 'utf8')).toContain('to out\n');
    await expect.poll(() => readFileSync(log.path, 'utf8')).toContain('to err\n');
  });
});
