import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Reads a file of JSON; undefined if there is none. @throws Error with a text for people */
export function readJson<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(
      `${path} cannot be read: ${(error as Error).message}.\nRestore the data directory from a copy, or start with another: npm start -- --data <dir>`,
      { cause: error },
    );
  }
}

/** Replaces a file of JSON in one step, which is durable on return; only its owner may read it. */
export function writeJson(path: string, value: unknown): void {
  const temporary = `${path}.new`;
  writeFileSync(temporary, `${JSON.stringify(value)}\n`, { mode: 0o600, flush: true });
  renameSync(temporary, path);
  const directory = openSync(dirname(path), 'r');
  fsyncSync(directory);
  closeSync(directory);
}
