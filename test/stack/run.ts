import { spawnSync } from 'node:child_process';
import { install, RESOLVE_LOCALHOST } from './emulator.ts';
import { stack } from './project.ts';

const reason = install();
if (reason !== undefined) {
  console.log(`skipped: the emulator ${reason}`);
  process.exit(process.env['EMULATOR'] === 'required' ? 1 : 0);
}
const args = ['run', '--config', 'test/vitest.config.ts', '--mode', stack.name, ...process.argv.slice(2)];
const env = { ...process.env, NODE_OPTIONS: RESOLVE_LOCALHOST };
process.exitCode = spawnSync('vitest', args, { stdio: 'inherit', env }).status ?? 1;
