import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { functions } from '#lib/routes';
import { bundleFile } from '../../infra/bundle.ts';
import { startInstance } from '../integration/instance-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'synth-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** No account, no setting, and a network that leads nowhere. */
const NOTHING = { PATH: process.env['PATH'], HOME: folder, HTTPS_PROXY: 'http://127.0.0.1:9' };

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

it('cdk synth needs no account, no network and no variables, and ships code that everybody may read, as Lambda must', async () => {
  // It sets a strict umask before it builds; and of what would not change the mode may be wrong already.
  const data = join(folder, 'data');
  const instance = await startInstance({ data, args: ['--no-demo', '--memory'], build: true });
  expect(await instance.stop()).toBe(0);
  chmodSync(bundleFile('system.ping'), 0o600);

  const output = join(folder, 'cdk.out');
  // The check of the template that CDK brings along takes half the time, so a synth leaves it to this test.
  const { status, stderr } = spawnSync('node_modules/.bin/cdk', ['synth', '--quiet', '--output', output], {
    env: { ...NOTHING, VALIDATE_TEMPLATE: 'true' },
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  expect(readdirSync(output)).toContain('core-account.template.json');

  const assets = readdirSync(output).filter((name) => name.startsWith('asset.'));
  expect(assets.length).toBe(functions.length);
  for (const asset of assets) {
    expect(modeOf(join(output, asset)), asset).toBe('755');
    for (const file of readdirSync(join(output, asset)))
      expect(modeOf(join(output, asset, file))).toBe('644');
  }
});

it('an invalid setting fails the CDK app by its name, without a stack trace', () => {
  const { status, stderr } = spawnSync(process.execPath, ['infra/aws/main.ts'], {
    env: { ...NOTHING, CDK_CONTEXT_JSON: '{"Settings:JwtExpireHours":"1000"}' },
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toContain(
    'Settings:JwtExpireHours expects a number of hours above 0 and at most 720, not "1000"',
  );
  expect(stderr).not.toMatch(/^ +at /m);
});
