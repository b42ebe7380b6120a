import { spawnSync } from 'node:child_process';
import { install, RESOLVE_LOCALHOST } from './emulator.ts';
import { stack } from './project.ts';

const reason = install();
if (reason !== undefined) {
  console.log(`skipped: the emulator ${reason}`);
  process.exit(process.env['EMULATOR'] === 'required' ? 1 : 0);
}
const EVIDENCE = '--evidence';
const given = process.argv.slice(2);
const others = given.filter((arg) => arg !== EVIDENCE);
const args = ['run', '--config', 'test/vitest.config.ts', '--mode', stack.name, ...others];
const env = {
  ...process.env,
  NODE_OPTIONS: RESOLVE_LOCALHOST,
  ...(given.includes(EVIDENCE) && { STACK_EVIDENCE: '1' }),
};
process.exitCode = spawnSync('vitest', args, { stdio: 'inherit', env }).status ?? 1;
