import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE, fillOnce } from './cache.ts';

const INSTALLERS = [
  ['uv', ['pip', 'install', '--quiet']],
  ['python3', ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check']],
] as const;

/**
 * A program in Python and all that it depends on, pinned with hashes.
 *
 * @param program the name of its package
 * @param requirements the path of its requirements
 * @param minimum the first minor version of Python 3 that all packages support
 */
export function pythonProgram(program: string, requirements: string, minimum: number) {
  const text = readFileSync(requirements, 'utf8');
  const title = new RegExp(`^(${program})==(\\S+)`, 'm').exec(text)?.slice(1).join(' ') as string;
  const version = createHash('sha256').update(text).digest('hex').slice(0, 16);
  /** The installed packages: other requirements have another folder. */
  const folder = join(CACHE, `${program}-${version}`);
  const fill = (target: string) =>
    INSTALLERS.some(([installer, args]) => {
      const all = [...args, '--require-hashes', '--target', target, '--requirement', requirements];
      return spawnSync(installer, all, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
    });
  return {
    /** Name and version. */
    title,
    folder,
    /** Installs the packages into their folder. @returns why the program cannot run, or undefined */
    install(): string | undefined {
      const check = `import sys; sys.exit(sys.version_info < (3, ${minimum}))`;
      if (spawnSync('python3', ['-c', check]).status !== 0)
        return `needs python3 of version 3.${minimum} or later on the PATH`;
      return fillOnce(folder, fill) ? undefined : `could not install ${title} with uv or pip`;
    },
  };
}
