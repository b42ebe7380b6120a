import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { listen, readBody } from '../../infra/local/machine/listen.ts';
import { ACCOUNT_ID } from '../../infra/local/machine/resource-names.ts';
import { GUARD } from '../../infra/local/services/engine.ts';
import type { Deployed } from './deployed.ts';
import { CLIENT } from './project.ts';

export type ExecutionEnvironment = Awaited<ReturnType<typeof openExecutionEnvironment>>;

/** Variables that Lambda itself sets. */
const reserved = ({ id, folder, Handler, MemorySize }: Deployed, runtimeApi: string) => ({
  _HANDLER: Handler,
  LAMBDA_TASK_ROOT: folder,
  AWS_LAMBDA_RUNTIME_API: runtimeApi,
  AWS_LAMBDA_FUNCTION_NAME: id,
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: `${MemorySize}`,
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

const MAX_BYTES = 10 * 1024 * 1024;

/**
 * One execution environment of a deployed function: a process of its asset under the runtime interface client, and its
 * Runtime API. It is stopped (SIGSTOP) while it has no event, as Lambda freezes it.
 *
 * @param platform region, credentials and endpoints
 * @see https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
 */
export async function openExecutionEnvironment(
  deployed: Deployed,
  platform: Readonly<Record<string, string>>,
) {
  const offences: string[] = [];
  let output = '';
  let closing = false;
  let waiting = awaited<ServerResponse>();
  const { promise: first } = waiting;
  let current: (PromiseWithResolvers<string> & { readonly requestId: string }) | undefined;

  /** Takes an answer of the runtime. @returns the status for it */
  const take = (url: string, body: string): number => {
    const [, requestId = '', what] = /\/invocation\/([^/]+)\/(response|error)$/.exec(url) ?? [];
    if (url.endsWith('/init/error')) waiting.reject(new Error(`Failed to initialise: ${body}`));
    else if (!what || decodeURIComponent(requestId) !== current?.requestId) {
      offences.push(`${url}, which is not expected: ${body}`);
      return 400;
    } else {
      if (what === 'response') current.resolve(body);
      else current.reject(new Error(`Failed: ${body}`));
      current = undefined;
    }
    return 202;
  };
  const api = await listen(
    createServer(async (request, response) => {
      if (request.method === 'GET' && request.url === '/2018-06-01/runtime/invocation/next') {
        if (current) offences.push(`The next event is requested before ${current.requestId} is answered`);
        child.kill('SIGSTOP');
        waiting.resolve(response);
        return;
      }
      const body = (await readBody(request, MAX_BYTES)) ?? '';
      response.writeHead(take(request.url ?? '', body.toString()), { 'content-type': 'application/json' });
      response.end('{}');
    }),
  );

  const command = [process.execPath, ...nodeFlags(deployed.MemorySize), CLIENT];
  // A stopped process would never end after this one.
  const child = spawn('/bin/sh', ['-c', GUARD, 'function', ...command], {
    cwd: deployed.folder,
    env: { ...platform, ...reserved(deployed, new URL(api.url).host), ...deployed.variables },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const exited = once(child, 'exit').then(([code, signal]) => {
    child.stdin.end();
    const error = new Error(`The runtime has ended with ${signal ?? code}\n${output}`);
    if (!closing) offences.push(error.message);
    waiting.reject(error);
    waiting = awaited();
    waiting.reject(error);
    current?.reject(error);
  });
  let last: Promise<unknown> = waiting.promise;

  async function send(event: unknown, requestId: string, trace: string): Promise<string> {
    const next = await waiting.promise;
    const answer = { ...awaited<string>(), requestId };
    current = answer;
    waiting = awaited();
    child.kill('SIGCONT');
    next.writeHead(200, {
      'content-type': 'application/json',
      'lambda-runtime-aws-request-id': requestId,
      'lambda-runtime-deadline-ms': Date.now() + deployed.Timeout * 1000,
      'lambda-runtime-invoked-function-arn': `arn:aws:lambda:us-east-1:${ACCOUNT_ID}:function:${deployed.id}`,
      'lambda-runtime-trace-id': trace,
    });
    next.end(JSON.stringify(event));
    return answer.promise;
  }

  return {
    pid: child.pid as number,
    /** Resolves when its init phase ends. @throws Error where that fails */
    async initialised() {
      await first;
    },
    /** Requests that Lambda would refuse, such as a second answer, and an unexpected end. */
    offences: offences as readonly string[],
    output: () => output,
    /** The lines of its log, parsed where they are JSON. */
    lines: () => output.split('\n').filter(Boolean).map(parse),
    /** Runs one event after the other. @throws Error where the function fails */
    invoke(event: unknown, requestId: string, trace: string): Promise<string> {
      const answered = last.catch(() => undefined).then(() => send(event, requestId, trace));
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

/** A promise that may fail before it is awaited. */
function awaited<T>() {
  const promise = Promise.withResolvers<T>();
  promise.promise.catch(() => undefined);
  return promise;
}

function parse(line: string): Readonly<Record<string, unknown>> | string {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}
