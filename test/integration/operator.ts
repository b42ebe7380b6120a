import { execFile } from 'node:child_process';
import { inject } from 'vitest';

export interface Exit {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The instance under test, as operator commands are told of it. */
const here = () => {
  const stack = inject('stack');
  return stack === undefined ? ['--data', inject('data')] : ['--stack', stack];
};

interface Options {
  /** Another instance. */
  readonly where?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Kills it, with -9. */
  readonly signal?: AbortSignal;
}

/** Runs an operator command as people do. */
export function run(
  args: readonly string[],
  input = '',
  { where = here(), env = {}, signal }: Options = {},
): Promise<Exit> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['infra/admin/main.ts', ...args, ...where],
      { env: { ...process.env, Settings__BcryptCost: '10', ...env }, signal, killSignal: 'SIGKILL' },
      (error, stdout, stderr) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}

/** The answer of a command, as JSON. */
export async function json(args: readonly string[], input?: string, options?: Options) {
  const { code, stdout } = await run([...args, '--json'], input, options);
  return { code, answer: JSON.parse(stdout) };
}
