import { spawnSync } from 'node:child_process';
import { installClient } from './install.ts';
import { runtime } from './project.ts';

const reason = installClient();
if (reason !== undefined) {
  console.log(`skipped: ${reason}`);
  process.exit(0);
}
const args = ['run', '--config', 'test/vitest.config.ts', '--mode', runtime.name, ...process.argv.slice(2)];
process.exitCode = spawnSync('vitest', args, { stdio: 'inherit' }).status ?? 1;
