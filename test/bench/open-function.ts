import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { bundleFile } from '../../infra/bundle.ts';

/** CPU time of all threads, and wall time, in milliseconds. */
export interface Taken {
  readonly cpuMs: number;
  readonly wallMs: number;
}

interface Answered extends Taken {
  readonly statusCode: number;
  readonly fault?: string;
}

export type OpenFunction = Awaited<ReturnType<typeof openFunction>>;

/**
 * A function in a process of its own, so that its CPU time is that of the function.
 *
 * @param flags of Node.js
 */
export async function openFunction(
  id: string,
  env: Readonly<Record<string, string>>,
  file = bundleFile(id),
  flags: readonly string[] = [],
  stdout: 'pipe' | 'ignore' = 'pipe',
) {
  const program = join(import.meta.dirname, 'function-process.cjs');
  const child = spawn(process.execPath, [...flags, program, file, id], {
    env,
    stdio: ['pipe', stdout, 'inherit', 'pipe'],
  });
  child.stdout?.resume();
  const reports = createInterface(child.stdio[3] as Readable)[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await reports.next();
    if (done) throw new Error(`${id} has ended`);
    return JSON.parse(value) as Answered;
  };
  return {
    /** The cost of its start, Node.js included. */
    init: (await next()) as Taken,
    /** Sends one event. @throws Error for a failure other than an outage of the engine, which may be busy */
    async invoke(event: object): Promise<Answered> {
      child.stdin?.write(`${JSON.stringify(event)}\n`);
      const answered = await next();
      const { statusCode, fault } = answered;
      if (statusCode >= 400 && statusCode !== 503) throw new Error(`${id} answered ${statusCode}: ${fault}`);
      return answered;
    },
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit');
      child.stdin?.end();
      await exited;
    },
  };
}
