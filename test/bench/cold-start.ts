import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';
import type { Contract, Job } from '#lib/contract/contract';
import { memoryOf } from '#lib/routes';
import { nodeFlags } from '../runtime/execution-environment.ts';
import type { ColdStart } from './cold-process.ts';

/**
 * Starts functions, each in a process of its own with the flags that Lambda gives Node.js.
 *
 * @param folder where it may write
 */
export async function openStarts(folder: string) {
  const program = join(folder, 'cold-process.cjs');
  const events = join(folder, 'event.json');
  // Node.js would load a compiler for TypeScript, which costs more than the floor.
  await build({
    entryPoints: [join(import.meta.dirname, 'cold-process.ts')],
    outfile: program,
    format: 'cjs',
    platform: 'node',
  });

  /** @throws Error where the function ends without an answer, or answers a failure */
  return async (
    file: string,
    definition: Contract | Job,
    env: Readonly<Record<string, string>>,
    event: object | undefined,
  ): Promise<ColdStart> => {
    const { id } = definition;
    if (event) await writeFile(events, JSON.stringify(event));
    const args = [program, file, id, ...(event ? [events] : [])];
    const child = spawn(process.execPath, [...nodeFlags(memoryOf(definition)), ...args], {
      env,
      stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
    });
    const [report, [status]] = await Promise.all([text(child.stdio[3] as Readable), once(child, 'exit')]);
    if (status !== 0) throw new Error(`${id} ended with ${status}`);
    const started = JSON.parse(report) as ColdStart;
    const { statusCode = 200, body } = started.result ?? {};
    if (statusCode >= 400) throw new Error(`${id} answered ${statusCode}: ${body}`);
    return started;
  };
}
