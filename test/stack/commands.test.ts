import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { expect, inject, test } from 'vitest';
import { createClient } from '#lib/client/index';
import { admin, runAdmin } from './cloud.ts';
import { RUNS } from './command-runs.ts';
import { STACK } from './global-setup.ts';
import { rotate } from './rotation.ts';

const cloud = inject('cloud');
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
  const keys: { kid: string; state: string; signs: string }[] = JSON.parse(
    await admin(cloud, STACK, 'keys', 'list', '--json'),
  );
  const { kid = '' } = keys.find(({ state, signs }) => state === 'published' && signs === 'sessions') ?? {};
  await admin(cloud, STACK, 'keys', 'revoke', kid);
  expect(await admin(cloud, STACK, 'keys', 'list')).toMatch(new RegExp(`${kid}\\s+revoked`));
  await session.account.profile();
});
