import { execFile } from 'node:child_process';
import { inject } from 'vitest';
import { admin } from '#infra/admin/program';
import { type Exit, printedBy } from '../unit/admin/printed-by.ts';

/** Options that name the instance under test to operator commands. */
export const here = () => {
  const stack = inject('stack');
  return stack === undefined ? ['--data', inject('data')] : ['--stack', stack];
};

/** Runs an operator command in this process, which saves the second of a start; one at a time. */
export const run = (args: readonly string[], input = '', where: readonly string[] = here()): Promise<Exit> =>
  printedBy(() => admin([...args, ...where]), input);

/** The answer of a command, as JSON. */
export async function json(args: readonly string[], input?: string, where?: readonly string[]) {
  const { code, stdout } = await run([...args, '--json'], input, where);
  return { code, answer: JSON.parse(stdout) };
}

interface Options {
  readonly env?: Readonly<Record<string, string>>;
  /** Kills it, with -9. */
  readonly signal?: AbortSignal;
}

/** Runs an operator command in a process of its own, as people do. */
export const start = (args: readonly string[], { env = {}, signal }: Options = {}): Promise<Exit> =>
  new Promise((resolve) => {
    const command = ['infra/admin/main.ts', ...args];
    const options = { env: { ...process.env, ...env }, signal, killSignal: 'SIGKILL' } as const;
    execFile(process.execPath, command, options, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
