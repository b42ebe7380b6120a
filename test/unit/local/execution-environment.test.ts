import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import {
  type ExecutionEnvironment,
  openExecutionEnvironment,
} from '#infra/local/services/lambda/execution-environment';
import { newFolder } from '../support/folder.ts';

const folder = newFolder();
let environment: ExecutionEnvironment;
let output: string;
const log = {
  take: (stream: NodeJS.ReadableStream) =>
    void stream.on('data', (text) => {
      output += text;
    }),
};

/** Opens an execution environment whose function has this body. */
function open(body: string, memory = 128) {
  output = '';
  const file = join(folder, `${Math.random()}.cjs`);
  writeFileSync(file, `exports.handler = async (event, context) => { ${body} };`);
  environment = openExecutionEnvironment({ id: 'test.function', file, memory }, { ONLY: 'this' }, log);
}

const invoke = async (event: unknown = {}, ms = 300_000) =>
  JSON.parse(
    await environment.invoke({ requestId: 'r', event: JSON.stringify(event), deadline: Date.now() + ms }),
  );

afterEach(() => environment.close());

test('an execution environment returns the result of each invocation, also after an exception, and logs its output', async () => {
  open(
    `globalThis.n = (globalThis.n ?? 0) + 1;
      if (event.bad) throw new Error('refused');
      console.log('to out'); console.error('to err');
      return event.no ? undefined : { ...event, n };`,
  );
  expect([await invoke({ a: 1 }), await invoke({ no: 1 }), await invoke({ a: 2 })]).toEqual([
    { a: 1, n: 1 },
    null,
    { a: 2, n: 3 },
  ]);
  await expect(invoke({ bad: true })).rejects.toThrow('refused');
  expect(await invoke({ a: 3 })).toEqual({ a: 3, n: 5 });
  for (const text of ['to out\n', 'to err\n']) await expect.poll(() => output).toContain(text);
});

test('an execution environment gives the function its own variables, those of Lambda and a context, and nothing else of the process', async () => {
  open(
    'return { env: { ...process.env }, id: context.awsRequestId, ms: context.getRemainingTimeInMillis() };',
  );
  const env = { ONLY: 'this', AWS_LAMBDA_FUNCTION_NAME: 'test.function' };
  const first = await invoke({ headers: { 'x-amzn-trace-id': 'Root=1-2-3' } });
  expect(first).toMatchObject({ id: 'r', env: { ...env, _X_AMZN_TRACE_ID: 'Root=1-2-3' } });
  expect(Object.keys(first.env)).toHaveLength(3);
  expect(first.ms).toBeGreaterThan(0);
  expect(first.ms).toBeLessThanOrEqual(300_000);
  expect((await invoke()).env, 'no trace of an earlier request').toEqual({ ...env, _X_AMZN_TRACE_ID: '' });
});

test('an execution environment outlives the deadline of an answered invocation', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  open('return event;');
  await invoke({}, 5000);
  vi.advanceTimersByTime(6000);
  expect(environment.usable).toBe(true);
  expect(await invoke({ a: 1 })).toEqual({ a: 1 });
});

const NEVER = 'await new Promise(() => setInterval(() => {}, 1000));';
test.each<[string, string, string, number?]>([
  ['waits beyond its deadline', NEVER, 'Timed out after 0.', 400],
  ['computes beyond its deadline', 'for (;;);', 'Timed out after 0.', 400],
  ['exits', 'process.exit(3);', 'Exited with status 3'],
  ['crashes', `setTimeout(() => { throw new Error("late"); }); ${NEVER}`, 'late'],
  ['leaves a rejection', `Promise.reject(new Error("left")); ${NEVER}`, 'left'],
  ['needs too much memory', 'for (const all = []; ; ) all.push(Array(1e5).fill(0).map(Object));', 'memory'],
])(
  'an execution environment fails and is used up when the function %s',
  async (_, body, message, milliseconds) => {
    open(body, 32);
    await expect(invoke({}, milliseconds)).rejects.toThrow(message);
    expect(environment.usable).toBe(false);
  },
);
