import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { functions } from '#lib/routes';
import { bundleFile } from '../../infra/bundle.ts';
import { newFolder } from '../unit/support/folder.ts';

const folder = newFolder();

/** No account, no setting, and a network that leads nowhere. */
const NOTHING = { PATH: process.env['PATH'], HOME: folder, HTTPS_PROXY: 'http://127.0.0.1:9' };

/** The limit of a test does not end a program that it waits for synchronously. */
const OPTIONS = { encoding: 'utf8', timeout: 240_000 } as const;

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

it('cdk synth needs no account, no network and no variables, and ships code that everybody may read, as Lambda must', () => {
  // The build sets the modes of its files for every umask, and of existing ones too.
  chmodSync(bundleFile('system.ping'), 0o600);
  const output = join(folder, 'cdk.out');
  const synth = `umask 077; exec node_modules/.bin/cdk synth --quiet --output '${output}'`;
  const { status, stderr } = spawnSync('/bin/sh', ['-c', synth], { env: NOTHING, ...OPTIONS });
  expect(status, stderr).toBe(0);
  expect(readdirSync(output)).toContain('core-account.template.json');

  const assets = readdirSync(output).filter((name) => name.startsWith('asset.'));
  expect(assets.length).toBe(functions.length);
  for (const asset of assets) {
    for (const file of readdirSync(join(output, asset)))
      expect(modeOf(join(output, asset, file)), asset).toBe('644');
  }
});

it('an invalid setting fails the CDK app by its name, without a stack trace', () => {
  const { status, stderr } = spawnSync(process.execPath, ['infra/aws/main.ts'], {
    env: { ...NOTHING, CDK_CONTEXT_JSON: '{"Settings:JwtExpireHours":"1000"}' },
    ...OPTIONS,
  });
  expect(status).toBe(1);
  expect(stderr).toContain(
    'Settings:JwtExpireHours expects a number of hours above 0 and at most 720, not "1000"',
  );
  expect(stderr).not.toMatch(/^ +at /m);
});
