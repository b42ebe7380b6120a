import { Worker } from 'node:worker_threads';
import type { FunctionLog } from './function-log.ts';
import type { FunctionData, Invocation, Outcome } from './worker.ts';

export type ExecutionEnvironment = ReturnType<typeof openExecutionEnvironment>;

/** A function that threw, crashed, ran out of time or of memory, or answered too much. */
export class FunctionError extends Error {
  override name = 'FunctionError';
}

/** Folder of the compile cache of this process, if it has one. */
const CACHE = process.env['NODE_COMPILE_CACHE'];

/**
 * One execution environment of a function: a thread with the function's bundle, environment variables and
 * memory, that takes one invocation at a time. A thread that crashes or outlasts its deadline is ended.
 */
export function openExecutionEnvironment(
  data: FunctionData,
  env: Readonly<Record<string, string>>,
  log: Pick<FunctionLog, 'take'>,
) {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    name: data.id,
    workerData: data,
    // Without the cache each thread would load a compiler for TypeScript.
    env: { ...env, ...(CACHE === undefined ? {} : { NODE_COMPILE_CACHE: CACHE }) },
    argv: [],
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: data.memory },
  });
  log.take(worker.stdout, data.id);
  log.take(worker.stderr, data.id);

  let usable = true;
  let current: { resolve: (result: string) => void; reject: (error: Error) => void } | undefined;
  const fail = (message: string) => {
    usable = false;
    current?.reject(new FunctionError(message));
  };
  worker.on('message', (outcome: Outcome) => {
    if ('result' in outcome) current?.resolve(outcome.result);
    else current?.reject(new FunctionError(outcome.error));
  });
  worker.on('error', (error) =>
    fail(error instanceof Error ? (error.stack ?? error.message) : String(error)),
  );
  worker.on('exit', (code) => fail(`Exited with status ${code}`));

  return {
    get usable() {
      return usable;
    },
    /** One at a time. @throws FunctionError */
    async invoke(invocation: Invocation): Promise<string> {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      current = { resolve, reject };
      const milliseconds = invocation.deadline - Date.now();
      const late = () => fail(`Timed out after ${(milliseconds / 1000).toFixed(2)} s`);
      const timer = setTimeout(late, milliseconds);
      worker.postMessage(invocation);
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
      }
    },
    async close() {
      usable = false;
      await worker.terminate();
    },
  };
}
