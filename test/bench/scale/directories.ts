import { cp, mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openTable } from '#lib/table/table';
import { showProgress } from '../../../infra/admin/bulk/progress.ts';
import { openDataDirectory } from '../../../infra/local/data-directory.ts';
import { ensureTable } from '../../../infra/local/engine/create-table.ts';
import { startEngine } from '../../../infra/local/engine/engine.ts';
import { NAMES } from '../../../infra/local/machine/resource-names.ts';
import { adoptEnvironment, sdkEnvironment } from '../../../infra/local/sdk-environment.ts';
import { fill } from './fill.ts';

/** Whom an engine lets in: anybody. */
export const CREDENTIALS = { accessKeyId: 'local', secretAccessKey: 'local' };

/** An instance is on it, or has written what it has done. */
const NOT_COPIED = /\/(lock|instance\.json|.*\.log|.*\.jsonl)$/;

/**
 * Fills a data directory for each size, which an instance can be started on. Each begins as a copy of the one before, so
 * that one directory grows, and all that it was can be measured side by side. Cut off, the next call goes on.
 *
 * @param folder where they stand, each by its size
 * @param sizes in accounts, ascending
 * @returns their paths
 */
export async function fillDirectories(folder: string, sizes: readonly number[]): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const paths = sizes.map((size) => join(folder, `${size}`));
  for (const [n, path] of paths.entries()) {
    const before = paths[n - 1];
    if (before && !(await stat(path).catch(() => undefined))) await copy(before, path);
    await fillDirectory(path, sizes[n] as number);
  }
  return paths;
}

/** A copy that is cut off has another name. */
async function copy(from: string, to: string): Promise<void> {
  const partial = `${to}.partial`;
  await rm(partial, { recursive: true, force: true });
  await cp(from, partial, { recursive: true, filter: (path) => !NOT_COPIED.test(path) });
  await rename(partial, to);
}

async function fillDirectory(path: string, accounts: number): Promise<void> {
  await using open = new AsyncDisposableStack();
  const data = open.adopt(openDataDirectory(path), (it) => it.close());
  const engine = open.adopt(await startEngine(data.database), (it) => it.close());
  const { url } = engine;
  adoptEnvironment(sdkEnvironment({}, { dynamodb: url, events: url, secretsmanager: url }, CREDENTIALS));
  const table = open.adopt(openTable(NAMES.table, url), ({ client }) => client.destroy());
  await ensureTable(table, () => undefined);
  const progress = open.adopt(showProgress('accounts'), (it) => it.end());
  await fill(table, accounts, { tell: progress.tell });
}
