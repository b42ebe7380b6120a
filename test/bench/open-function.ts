import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bundleFile } from '../../infra/bundle.ts';
import type { Invocation, Report } from './function-process.ts';

/**
 * A function in a process of its own, with nothing else in it: so that its CPU time and its memory are those of the
 * function.
 *
 * @param execArgv flags of Node.js
 */
export async function openFunction(
  id: string,
  env: Readonly<Record<string, string>>,
  file = bundleFile(id),
  execArgv: readonly string[] = [],
) {
  const child = fork(join(import.meta.dirname, 'function-process.ts'), [file, id], {
    env: { ...env },
    execArgv: [...execArgv],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const lines: string[] = [];
  const output = createInterface(child.stdout as NodeJS.ReadableStream).on('line', (line) =>
    lines.push(line),
  );
  let waiting = Promise.withResolvers<Report>();
  child.on('message', (report) => waiting.resolve(report as Report));
  child.on('exit', (code) => waiting.reject(new Error(`${id} ended with ${code}`)));
  const next = async () => {
    const report = await waiting.promise;
    waiting = Promise.withResolvers();
    waiting.promise.catch(() => undefined);
    return report;
  };
  const started = await next();
  return {
    /** What its start has taken, Node.js included. */
    started,
    /** @throws Error where the function throws */
    async invoke(invocation: Invocation): Promise<Report> {
      child.send(invocation);
      const report = await next();
      if (report.error !== undefined) throw new Error(`${id}: ${report.error}`);
      return report;
    },
    /** Ends it. @returns the lines that it has logged */
    async close(): Promise<readonly string[]> {
      const ended = once(output, 'close');
      child.kill();
      await ended;
      return lines;
    },
  };
}
