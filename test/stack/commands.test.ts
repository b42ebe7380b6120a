import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { expect, inject, test } from 'vitest';
import { createClient } from '#lib/client/index';
import { wordsOf } from '../../infra/admin/command.ts';
import { COMMANDS } from '../../infra/admin/commands.ts';
import { admin, runAdmin } from './cloud.ts';
import { STACK } from './global-setup.ts';
import { rotate } from './rotation.ts';

const cloud = inject('cloud');
const PASSWORD = 'a long password of a colleague';

/** Runs in their order: each finds what those before have left. */
const RUNS: readonly (readonly [call: string, input?: string])[] = [
  ['team create ops --name Operations'],
  ['team list'],
  ['team create former --name Former'],
  ['team rename former --name Leaving'],
  ['team delete former --to ops'],
  ['account create op.ada --role sys_tokens --team ops --password-stdin', PASSWORD],
  ['account show op.ada'],
  ['account export op.ada'],
  ['account passkey list op.ada'],
  ['account list --q op.ada'],
  ['account add op.ada --role editor --app crm'],
  ['account remove op.ada --role editor'],
  ['account password op.ada --password-stdin', `${PASSWORD} again`],
  ['account code op.ada --hours 2'],
  ['account lockout op.ada off'],
  ['account lock op.ada --reason leave'],
  ['account unlock op.ada'],
  ['account sessions op.ada'],
  ['account reset-stamp op.ada'],
  ['token create ci op.ada --expires-in-days 30'],
  ['token list op.ada'],
  ['token rotate ci op.ada'],
  ['token delete ci op.ada'],
  ['token revoke --all op.ada --yes'],
  ['account cancel op.ada --yes'],
  ['account reactivate op.ada'],
  ['account reset-stamps --before 2000-01-01 --yes'],
  ['account password-costs'],
  ['events pending'],
  ['events publish'],
  ['keys list'],
  ['audit --since 1h'],
  ['export'],
  ['account cancel op.ada --yes'],
  ['account erase op.ada --yes --force'],
];

/** Commands that other parts run, or that cannot run. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'account passkey remove': 'passkeys.test.ts of the integration suite',
  'events replay': 'events.test.ts',
  'restore check': 'service.test.ts',
  'restore erase-again': 'needs a restored table: restore.local.slow.test.ts of the integration suite',
  doctor: 'service.test.ts',
  'events sample': 'needs no instance',
  'events send': 'needs no instance',
  'keys rotate': 'RotateSecret of the emulator invokes no function',
};

test.each(RUNS.map(([call, input]) => [call, input] as const))('%s', async (call, input) => {
  const { status, stderr } = await runAdmin(cloud, STACK, call.split(' '), input);
  expect(status, stderr).toBe(0);
});

test('import', async () => {
  const file = join(cloud.folder, 'people.csv');
  writeFileSync(file, 'username,first name,roles\nop.imported,Ümit,editor\n');
  await admin(cloud, STACK, 'import', file);
  expect(await admin(cloud, STACK, 'account', 'show', 'op.imported', '--json')).toContain('Ümit');
});

test('keys revoke ends the sessions of a key', async () => {
  const url = inject('baseUrl');
  const { JWTtoken } = await createClient({ url }).account.login({
    username: 'api',
    password: inject('adminToken'),
  });
  const session = createClient({ url, credential: { session: JWTtoken } });
  await session.account.profile();
  await rotate(new LambdaClient(), STACK, inject('outputs')['SigningKeySecretId'] as string);
  const keys: { kid: string; state: string }[] = JSON.parse(
    await admin(cloud, STACK, 'keys', 'list', '--json'),
  );
  const { kid = '' } = keys.find(({ state }) => state === 'published') ?? {};
  await admin(cloud, STACK, 'keys', 'revoke', kid);
  expect(await admin(cloud, STACK, 'keys', 'list')).toMatch(new RegExp(`${kid}\\s+revoked`));
  await session.account.profile();
});

test('every command is here, or has a reason', () => {
  const words = COMMANDS.map(wordsOf);
  const run = words.filter((each) => RUNS.some(([call]) => `${call} `.startsWith(`${each} `)));
  const all = [...run, 'import', 'keys revoke', ...Object.keys(ELSEWHERE)];
  expect(all.sort()).toEqual(words.sort());
});
