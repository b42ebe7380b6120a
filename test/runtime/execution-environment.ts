import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { GUARD } from '../../infra/local/engine/engine.ts';
import { ACCOUNT_ID } from '../../infra/local/machine/resource-names.ts';
import type { Deployed } from './deployed.ts';
import { CLIENT } from './install.ts';
import { openRuntimeApi } from './runtime-api.ts';

export type ExecutionEnvironment = Awaited<ReturnType<typeof openExecutionEnvironment>>;

/** What Lambda itself sets. */
const reserved = ({ id, folder, handler, memory }: Deployed, runtimeApi: string) => ({
  _HANDLER: handler,
  LAMBDA_TASK_ROOT: folder,
  AWS_LAMBDA_RUNTIME_API: runtimeApi,
  AWS_LAMBDA_FUNCTION_NAME: id,
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: `${memory}`,
  AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${id}`,
  AWS_LAMBDA_LOG_STREAM_NAME: '2026/11/20/[$LATEST]0',
  AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  LANG: 'en_US.UTF-8',
  TZ: ':UTC',
  PATH: '/usr/local/bin:/usr/bin:/bin',
});

/** How Lambda starts Node.js for a function of so many MB: of the memory, so many per cent each. */
export const nodeFlags = (memory: number) => [
  '--expose-gc',
  `--max-semi-space-size=${Math.floor(memory * 0.05)}`,
  `--max-old-space-size=${Math.floor(memory * 0.9)}`,
];

/**
 * One execution environment of a deployed function: a process of its asset under the runtime interface client, with
 * the variables of the template. It is stopped (SIGSTOP) while no event is in it, as Lambda freezes it.
 *
 * @param platform what is Lambda's or the machine's to tell: region, credentials, endpoints
 */
export async function openExecutionEnvironment(
  deployed: Deployed,
  platform: Readonly<Record<string, string>>,
) {
  let output = '';
  let closing = false;
  const api = await openRuntimeApi(() => child.kill('SIGSTOP'));
  const started = performance.now();
  const command = [process.execPath, ...nodeFlags(deployed.memory), CLIENT];
  // A stopped process would outlive this one for good.
  const child = spawn('/bin/sh', ['-c', GUARD, 'function', ...command], {
    cwd: deployed.folder,
    env: { ...platform, ...reserved(deployed, api.address), ...deployed.variables },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const exited = once(child, 'exit').then(([code, signal]) => {
    child.stdin.end();
    if (!closing) api.offences.push(`The runtime has ended with ${signal ?? code}`);
    api.fail(new Error(`The runtime has ended with ${signal ?? code}\n${output}`));
  });
  const initialised = api.waiting().then(() => performance.now() - started);
  let last: Promise<unknown> = initialised;

  return {
    /** Resolves to the milliseconds from its start until it waits for its first event. @throws Error of its init */
    initialised,
    /** CPU time that its threads have taken, in milliseconds. Linux tells it by the nanosecond. */
    cpuMs: () => cpuMsOf(child.pid as number),
    offences: api.offences as readonly string[],
    output: () => output,
    /** What it has logged, a line each; what is no JSON is as it is. */
    lines: () => output.split('\n').filter(Boolean).map(parse),
    /** One event after the other. @throws Error where the function fails */
    invoke(event: unknown, requestId: string, trace: string): Promise<string> {
      const answered = last
        .catch(() => undefined)
        .then(api.waiting)
        .then(() => {
          child.kill('SIGCONT');
          return api.invoke({
            requestId,
            event: JSON.stringify(event),
            deadline: Date.now() + deployed.timeout * 1000,
            arn: `arn:aws:lambda:us-east-1:${ACCOUNT_ID}:function:${deployed.id}`,
            trace,
          });
        });
      last = answered;
      return answered;
    },
    async close() {
      closing = true;
      child.kill('SIGKILL');
      await exited;
      await api.close();
    },
  };
}

function cpuMsOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((total, one) => total + one, 0) / 1_000_000;
}

function parse(line: string): Readonly<Record<string, unknown>> | string {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}
