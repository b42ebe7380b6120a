import { expect, inject, test } from 'vitest';
import { admin, run } from './cloud.ts';
import { STACK } from './global-setup.ts';

const cloud = inject('cloud');

test('the command of the output creates the first administrator', async () => {
  const shown = JSON.parse(await admin(cloud, STACK, 'account', 'show', 'admin', '--json'));
  expect(shown).toMatchObject({ roles: ['sys_administrator', 'sys_tokens'] });
});

test('doctor finds only what the emulator does not report', async () => {
  const { stdout } = await run(cloud, [
    'npm',
    'run',
    '-s',
    'admin',
    '--',
    '--stack',
    STACK,
    'doctor',
    '--json',
  ]);
  const checks = JSON.parse(stdout) as Record<string, unknown>;
  console.log(checks);
});
