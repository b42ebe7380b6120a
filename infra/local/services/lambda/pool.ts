import { availableParallelism } from 'node:os';
import type { ExecutionEnvironment } from './execution-environment.ts';

/** Environments of each function; further invocations wait, since more of them would compete for the processors. */
export const MAX_ENVIRONMENTS = Math.max(2, availableParallelism());

/** An environment that is idle for so long ends, as on Lambda, and frees its memory. */
export const IDLE_MS = 90_000;

/** Opens the execution environments of one function; the latest used is used next. @param timeout in ms */
export function openPool(start: () => ExecutionEnvironment, timeout: number) {
  const open = new Set<ExecutionEnvironment>();
  const idle: { readonly environment: ExecutionEnvironment; readonly since: number }[] = [];
  const waiting: (() => void)[] = [];
  let closed = false;

  const end = (environment: ExecutionEnvironment) => {
    open.delete(environment);
    void environment.close();
  };

  const acquire = async (): Promise<ExecutionEnvironment> => {
    for (;;) {
      if (closed) throw new Error('The instance is stopping');
      const free = idle.pop()?.environment;
      if (free?.usable) return free;
      if (free) end(free);
      else if (open.size >= MAX_ENVIRONMENTS) await new Promise<void>((resolve) => waiting.push(resolve));
      else break;
    }
    const environment = start();
    open.add(environment);
    return environment;
  };

  const release = (environment: ExecutionEnvironment) => {
    if (environment.usable && open.has(environment)) idle.push({ environment, since: performance.now() });
    else end(environment);
    waiting.shift()?.();
  };

  const sweep = setInterval(() => {
    const before = performance.now() - IDLE_MS;
    // The most recently used environment is last.
    const kept = idle.findIndex(({ since }) => since >= before);
    for (const { environment } of idle.splice(0, kept < 0 ? idle.length : kept)) end(environment);
  }, IDLE_MS / 3).unref();

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
      for (const { environment } of idle.splice(0)) void environment.close();
      open.clear();
    },
    async close() {
      closed = true;
      clearInterval(sweep);
      for (const wake of waiting.splice(0)) wake();
      await Promise.all([...open].map((environment) => environment.close()));
    },
  };
}
