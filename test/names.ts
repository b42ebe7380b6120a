import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { afterEach, beforeEach, expect, inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Decides the names, the passwords and the generated inputs of tests. */
    seed: string;
  }
}

/** The seed of a run: the same in each, or that of `SEED`. */
export const SEED = process.env['SEED'] || '1';

/** The running test; empty while its file loads and in the hooks of the file. */
let scope = '';
/** How many draws each scope has made; a repetition of a test continues its count, since its table has its names. */
const draws = new Map<string, number>();

/** Begins the draws of a test, or with an empty title those of the file outside of tests. */
export function drawFor(title: string): void {
  scope = title;
}

/** Forgets the draws of the former file of this worker. */
export function drawForFile(): void {
  draws.clear();
  drawFor('');
}

/** Gives each test of a file names of its own. Call it once in the setup of a project. */
export function nameTests(): void {
  drawForFile();
  beforeEach(({ task }) => drawFor(task.fullTestName));
  afterEach(() => drawFor(''));
}

/**
 * Bytes that look random but depend only on the seed of the run, the file, the title of the test and the number of its
 * earlier draws: neither on the order of tests nor on the worker.
 */
export function seededBytes(length: number): Buffer {
  const draw = draws.get(scope) ?? 0;
  draws.set(scope, draw + 1);
  const from = [inject('seed'), relative(import.meta.dirname, expect.getState().testPath ?? ''), scope, draw];
  return createHash('shake256', { outputLength: length }).update(JSON.stringify(from)).digest();
}

/** A username, or another name, that no other test has. */
export const newName = (prefix: string) => `${prefix}-${seededBytes(5).toString('hex')}`;
