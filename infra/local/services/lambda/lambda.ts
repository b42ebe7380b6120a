import { randomUUID } from 'node:crypto';
import { url as debuggerUrl } from 'node:inspector';
import { bundleFile } from '#infra/bundle';
import type { WatchedBundles } from '#infra/watch-bundles';
import type { Contract, Job } from '#lib/contract/contract';
import { describe } from '#lib/log/log';
import { functions, memoryOf, timeoutOf } from '#lib/routes';
import { FunctionError, openExecutionEnvironment } from './execution-environment.ts';
import type { FunctionLog } from './function-log.ts';
import { openPool } from './pool.ts';

export type Lambda = ReturnType<typeof startLambda>;

export class PayloadTooLarge extends Error {}

/** Maximum size of the event, and of the answer, as JSON. */
const MAX_PAYLOAD_BYTES = 6 * 1024 * 1024;

/** Time limit of a function while a debugger may stop it. */
const DEBUGGED_MS = 3_600_000;

/**
 * Starts to run the bundles, each function in execution environments of its own, which start when they are needed.
 *
 * @param environmentOf returns the variables of a function, called at each start of an execution environment
 */
export function startLambda(
  environmentOf: (definition: Contract | Job) => Record<string, string>,
  log: Pick<FunctionLog, 'take' | 'write'>,
  fileOf = bundleFile,
) {
  let closed = false;
  const poolOf = (definition: Contract | Job) => {
    const { id } = definition;
    const data = { id, file: fileOf(id), memory: memoryOf(definition) };
    const timeout = debuggerUrl() ? DEBUGGED_MS : timeoutOf(definition) * 1000;
    return openPool(() => openExecutionEnvironment(data, environmentOf(definition), log), timeout);
  };
  const pools = new Map(functions.map((one) => [one.id as string, poolOf(one)]));
  return {
    /** Invokes a function. @throws PayloadTooLarge, or FunctionError if the function fails */
    async invoke(id: string, event: unknown, requestId: string = randomUUID()): Promise<unknown> {
      const pool = pools.get(id);
      if (!pool) throw new Error(`There is no function ${id}`);
      const payload = JSON.stringify(event);
      if (Buffer.byteLength(payload) > MAX_PAYLOAD_BYTES) throw new PayloadTooLarge();
      try {
        const result = await pool.invoke(payload, requestId);
        if (Buffer.byteLength(result) > MAX_PAYLOAD_BYTES)
          throw new FunctionError(`Answered more than ${MAX_PAYLOAD_BYTES} bytes`);
        return JSON.parse(result) as unknown;
      } catch (error) {
        // A stop ends running invocations, which is no error.
        if (!closed) log.write({ level: 'error', function: id, requestId, error: describe(error) });
        throw error;
      }
    },
    /** Ends every execution environment after its invocation: later invocations run the bundles of that time. */
    retire(): void {
      for (const pool of pools.values()) pool.retire();
    },
    async close(): Promise<void> {
      closed = true;
      await Promise.all([...pools.values()].map((pool) => pool.close()));
    },
  };
}

/** The same functions; each invocation runs the current source. */
export function refreshing(lambda: Lambda, bundles: WatchedBundles): Lambda {
  let replaced = 0;
  return {
    ...lambda,
    async invoke(...invocation) {
      const now = await bundles.refresh();
      if (now !== replaced) lambda.retire();
      replaced = now;
      return lambda.invoke(...invocation);
    },
  };
}
