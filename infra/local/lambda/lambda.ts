import { randomUUID } from 'node:crypto';
import { url as debuggerUrl } from 'node:inspector';
import { availableParallelism } from 'node:os';
import { bundleFile } from '#infra/bundle';
import type { WatchedBundles } from '#infra/watch-bundles';
import type { Contract, Job } from '#lib/contract/contract';
import { describe } from '#lib/log';
import { functions, memoryOf, timeoutOf } from '#lib/routes';
import {
  type ExecutionEnvironment,
  FunctionError,
  openExecutionEnvironment,
} from './execution-environment.ts';
import type { FunctionLog } from './function-log.ts';

export interface Lambda {
  /**
   * Invokes a function and waits for what it returns.
   *
   * @throws PayloadTooLarge, or FunctionError where the function fails
   */
  invoke(id: string, event: unknown, requestId?: string): Promise<unknown>;
  /** Ends every execution environment, each once it is idle: further invocations run what is on the disk then. */
  retire(): void;
  close(): Promise<void>;
}

export class PayloadTooLarge extends Error {}

/** Of the event and of the answer, as JSON. */
const MAX_PAYLOAD_BYTES = 6 * 1024 * 1024;

/** Of each function; further invocations wait. One takes 40 to 100 MB, and more of them answer no more requests. */
const MAX_ENVIRONMENTS = Math.min(8, 2 * availableParallelism());

/** A function that stands at a breakpoint has all the time it takes to read. */
const DEBUGGED_MS = 3_600_000;

/** Runs the bundles, each function in execution environments of its own, which start when they are needed. */
export function openLambda(
  environmentOf: (definition: Contract | Job) => Record<string, string>,
  log: FunctionLog,
): Lambda {
  const pools = new Map(functions.map((one) => [one.id as string, openPool(one, environmentOf(one), log)]));
  return {
    async invoke(id, event, requestId = randomUUID()) {
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
        log.write({ level: 'error', function: id, requestId, error: describe(error) });
        throw error;
      }
    },
    retire() {
      for (const pool of pools.values()) pool.retire();
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.close()));
    },
  };
}

/** The same functions, whose every invocation runs the source as it is then. */
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

/** The execution environments of one function; the one used last is used next, as the others may be idle for good. */
function openPool(definition: Contract | Job, env: Record<string, string>, log: FunctionLog) {
  const timeout = debuggerUrl() ? DEBUGGED_MS : timeoutOf(definition) * 1000;
  const data = { id: definition.id, file: bundleFile(definition.id), memory: memoryOf(definition) };
  const open = new Set<ExecutionEnvironment>();
  const idle: ExecutionEnvironment[] = [];
  const waiting: (() => void)[] = [];

  const acquire = async (): Promise<ExecutionEnvironment> => {
    const free = idle.pop();
    if (free?.usable) return free;
    if (free) {
      open.delete(free);
      return acquire();
    }
    if (open.size >= MAX_ENVIRONMENTS) {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return acquire();
    }
    const environment = openExecutionEnvironment(data, env, log);
    open.add(environment);
    return environment;
  };

  const release = (environment: ExecutionEnvironment) => {
    if (environment.usable && open.has(environment)) idle.push(environment);
    else {
      open.delete(environment);
      void environment.close();
    }
    waiting.shift()?.();
  };

  return {
    async invoke(event: string, requestId: string) {
      const environment = await acquire();
      try {
        return await environment.invoke({ requestId, event, deadline: Date.now() + timeout });
      } finally {
        release(environment);
      }
    },
    retire() {
      for (const environment of idle.splice(0)) void environment.close();
      open.clear();
    },
    async close() {
      await Promise.all([...open].map((environment) => environment.close()));
    },
  };
}
