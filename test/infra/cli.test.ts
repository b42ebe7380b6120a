import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const output = mkdtempSync(join(tmpdir(), 'synth-'));
afterAll(() => rmSync(output, { recursive: true }));

/** No account, no setting, and a network that leads nowhere. */
const NOTHING = { PATH: process.env['PATH'], HOME: output, HTTPS_PROXY: 'http://127.0.0.1:9' };

const synth = (...options: string[]) =>
  spawnSync('node_modules/.bin/cdk', ['synth', '--quiet', '--output', output, ...options], {
    cwd: ROOT,
    env: NOTHING,
    encoding: 'utf8',
  });

it('cdk synth needs no account, no network and no variables', { timeout: 120_000 }, () => {
  const { status, stderr } = synth();
  expect(status, stderr).toBe(0);
  expect(readdirSync(output)).toContain('core-account.template.json');
});

it('an invalid setting fails cdk synth by its name, without a stack trace', { timeout: 120_000 }, () => {
  const { status, stderr } = synth('-c', 'Settings:JwtExpireHours=1000');
  expect(status).toBe(1);
  expect(stderr).toContain(
    'Settings:JwtExpireHours expects a number of hours above 0 and at most 720, not "1000"',
  );
  expect(stderr).not.toMatch(/^ +at /m);
});
