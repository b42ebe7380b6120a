import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ROOT } from '#infra/bundle';
import { readJson, writeJson } from './machine/durable-file.ts';

/** Outside of `node_modules`, which checkouts may share and an installation deletes. */
const FILE = join(ROOT, '.started.json');

/** Records the data directory of an `npm start` of this checkout for operator commands. */
export function rememberStarted(data: string, file = FILE): void {
  const path = resolve(data);
  const others = startedDirectories(file).filter((other) => other !== path && existsSync(other));
  try {
    writeJson(file, [path, ...others]);
  } catch {
    // Without the record, operator commands need --data.
  }
}

/** The data directories that `npm start` was called with in this checkout, the latest first. */
export function startedDirectories(file = FILE): readonly string[] {
  try {
    return readJson<string[]>(file) ?? [];
  } catch {
    return [];
  }
}
