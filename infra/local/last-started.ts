import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ROOT } from '#infra/bundle';

const FILE = join(ROOT, 'node_modules/.cache/core-account/last-started');

/** Notes the data directory that `npm start` was called with last, so that operator commands need not be told. */
export function rememberLastStarted(data: string): void {
  try {
    mkdirSync(dirname(FILE), { recursive: true });
    writeFileSync(FILE, resolve(data));
  } catch {
    // A convenience: where it cannot be noted, --data names it.
  }
}

/** The data directory that `npm start` was called with last, if it is known. */
export function lastStarted(): string | undefined {
  try {
    return readFileSync(FILE, 'utf8');
  } catch {
    return undefined;
  }
}
