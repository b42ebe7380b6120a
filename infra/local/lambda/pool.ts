import { availableParallelism } from 'node:os';
import type { ExecutionEnvironment } from './execution-environment.ts';

/** Of each function; further invocations wait. */
export const MAX_ENVIRONMENTS = Math.min(8, 2 * availableParallelism());

/** Of each function, as long as they answer: four on two cores take a third more CPU time a request than two. */
export const ENOUGH = Math.min(MAX_ENVIRONMENTS, Math.max(2, availableParallelism()));

/** Without an answer for this long, as at a breakpoint, more than enough are opened. */
export const STUCK_MS = 1000;

/** An environment that nobody has used for so long is ended, as Lambda ends its own: each takes 15 to 60 MB. */
export const IDLE_MS = 90_000;

/**
 * The execution environments of one function; the one used last is used next, as the others may be idle for good.
 *
 * @param start opens another
 * @param timeout of an invocation, in milliseconds
 */
export function openPool(start: () => ExecutionEnvironment, timeout: number) {
  const open = new Set<ExecutionEnvironment>();
  const idle: { readonly environment: ExecutionEnvironment; readonly since: number }[] = [];
  const waiting: (() => void)[] = [];
  let enough = ENOUGH;
  let stuck: NodeJS.Timeout | undefined;
  let closed = false;

  const grow = () => {
    stuck = undefined;
    if (waiting.length === 0 || enough === MAX_ENVIRONMENTS) return;
    enough += 1;
    waiting.shift()?.();
    stuck = setTimeout(grow, STUCK_MS);
  };

  /** Resolves once an environment may be free, or another may be opened. */
  const turn = () => {
    stuck ??= setTimeout(grow, STUCK_MS);
    return new Promise<void>((resolve) => waiting.push(resolve));
  };

  const acquire = async (): Promise<ExecutionEnvironment> => {
    if (closed) throw new Error('The instance stops');
    const free = idle.pop()?.environment;
    if (free?.usable) return free;
    if (free) {
      open.delete(free);
      return acquire();
    }
    if (open.size >= enough) {
      await turn();
      return acquire();
    }
    const environment = start();
    open.add(environment);
    return environment;
  };

  const release = (environment: ExecutionEnvironment) => {
    if (environment.usable && open.has(environment)) idle.push({ environment, since: performance.now() });
    else {
      open.delete(environment);
      void environment.close();
    }
    stuck?.refresh();
    waiting.shift()?.();
  };

  const sweep = setInterval(() => {
    const before = performance.now() - IDLE_MS;
    // Those used last are at the end.
    while (idle[0] && idle[0].since < before) {
      const [{ environment }] = idle.splice(0, 1) as [(typeof idle)[number]];
      open.delete(environment);
      void environment.close();
      enough = ENOUGH;
    }
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
      clearTimeout(stuck);
      for (const wake of waiting.splice(0)) wake();
      await Promise.all([...open].map((environment) => environment.close()));
    },
  };
}
