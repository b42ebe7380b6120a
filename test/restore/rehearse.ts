import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from '#infra/bundle';
import { openTarget } from '../../infra/admin/target.ts';
import { startInstance } from '../integration/instance-process.ts';
import { restoreTable } from './restored-table.ts';

/**
 * Rehearses a restore: a table is copied, its key is rotated, the copy is checked, mended and adopted, and all
 * integration tests run against the instance on it. Arguments are handed to vitest.
 */
const RESTORED = 'restored';
const ROOT = join(import.meta.dirname, '../..');

const say = (text: string) => console.error(`\n== ${text}`);

/** Runs a program of this repository; resolves to its exit status. */
async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

const data = await mkdtemp(join(tmpdir(), 'core-account-restore-'));
const admin = (...args: string[]) => run(['infra/admin/main.ts', ...args, '--data', data]);
const env = { Settings__BcryptCost: '10' };

async function rehearse(): Promise<number> {
  await bundle();
  say('An instance with demo data is backed up; then its key is rotated');
  const first = await startInstance({ data, args: [], env });
  const { runtime } = await openTarget({ data });
  await restoreTable(runtime.table, RESTORED);
  runtime.table.client.destroy();
  await admin('keys', 'rotate', '--wait');

  say('The copy lacks what a restore loses, and gets it');
  if ((await admin('restore', 'check', '--table', RESTORED)) !== 1) return 1;
  if ((await admin('restore', 'check', '--table', RESTORED, '--mend')) !== 0) return 1;
  await first.stop();

  say('The instance adopts it, and runs the integration tests');
  const adopted = await startInstance({ data, args: ['--enforce-iam', '--table', RESTORED], env });
  try {
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts'];
    return await run([...vitest, '--project', 'integration', ...process.argv.slice(2)], {
      BASE_URL: adopted.ready.url,
      ADMIN_TOKEN: first.ready.admin.token,
      DATA: data,
    });
  } finally {
    await adopted.stop();
  }
}

process.exitCode = await rehearse();
if (process.exitCode === 0) await rm(data, { recursive: true });
else say(`Logs and data are kept in ${data}`);
