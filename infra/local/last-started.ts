import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ROOT } from '#infra/bundle';

const FILE = join(ROOT, 'node_modules/.cache/core-account/last-started');

/** Records the data directory of the last `npm start` for operator commands. */
export function rememberLastStarted(data: string): void {
  try {
    mkdirSync(dirname(FILE), { recursive: true });
    writeFileSync(FILE, resolve(data));
  } catch {
    // Without the record, operator commands need --data.
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
