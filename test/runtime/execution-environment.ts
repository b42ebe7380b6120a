import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { GUARD } from '../../infra/local/engine/engine.ts';
import { ACCOUNT_ID } from '../../infra/local/machine/resource-names.ts';
import type { Deployed } from './deployed.ts';
import { CLIENT } from './install.ts';
import { openRuntimeApi } from './runtime-api.ts';

export type ExecutionEnvironment = Awaited<ReturnType<typeof openExecutionEnvironment>>;

/** Variables that Lambda itself sets. */
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

/** The flags that Lambda gives Node.js, in shares of the memory of the function. */
export const nodeFlags = (memory: number) => [
  '--expose-gc',
  `--max-semi-space-size=${Math.floor(memory * 0.05)}`,
  `--max-old-space-size=${Math.floor(memory * 0.9)}`,
];

/**
 * One execution environment of a deployed function: a process of its asset under the runtime interface client. It is
 * stopped (SIGSTOP) while it has no event, as Lambda freezes it.
 *
 * @param platform region, credentials and endpoints
 */
export async function openExecutionEnvironment(
  deployed: Deployed,
  platform: Readonly<Record<string, string>>,
) {
  let output = '';
  let closing = false;
  const api = await openRuntimeApi(() => child.kill('SIGSTOP'));
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
  let last: Promise<unknown> = api.waiting();

  return {
    /** Protocol errors, and an end that nobody asked for. */
    offences: api.offences as readonly string[],
    output: () => output,
    /** The lines of its log, parsed where they are JSON. */
    lines: () => output.split('\n').filter(Boolean).map(parse),
    /** Runs one event after the other. @throws Error where the function fails */
    invoke(event: unknown, requestId: string, trace: string): Promise<string> {
      const answered = last
        .catch(() => undefined)
        .then(api.waiting)
        .then(() => {
          child.kill('SIGCONT');
          const deadline = Date.now() + deployed.timeout * 1000;
          const arn = `arn:aws:lambda:us-east-1:${ACCOUNT_ID}:function:${deployed.id}`;
          return api.invoke({ requestId, event: JSON.stringify(event), deadline, arn, trace });
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

function parse(line: string): Readonly<Record<string, unknown>> | string {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}
