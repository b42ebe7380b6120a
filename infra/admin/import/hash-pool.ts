import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { NewPassword } from '#lib/password/hash';
import type { Done, Job } from './hash-worker.ts';

/** Hashes passwords beside the thread that asks for it. */
export interface HashPool {
  /** How many passwords it hashes at once. */
  readonly size: number;
  hash(password: NewPassword, cost: number): Promise<string>;
  close(): Promise<void>;
}

/** Opens as many threads as there are processors, once there is something to hash. */
export function openHashPool(size = availableParallelism()): HashPool {
  const workers: Worker[] = [];
  const waiting = new Map<number, PromiseWithResolvers<string>>();
  let jobs = 0;
  const open = () => {
    const worker = new Worker(new URL('./hash-worker.ts', import.meta.url));
    worker.on('message', ({ id, hash }: Done) => {
      waiting.get(id)?.resolve(hash);
      waiting.delete(id);
    });
    worker.on('error', (error) => {
      for (const job of waiting.values()) job.reject(error);
      waiting.clear();
    });
    return worker;
  };
  return {
    size,
    hash(password, cost) {
      const id = jobs++;
      const place = id % size;
      workers[place] ??= open();
      const job = Promise.withResolvers<string>();
      waiting.set(id, job);
      workers[place].postMessage({ id, password, cost } satisfies Job);
      return job.promise;
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}
