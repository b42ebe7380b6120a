import { LambdaClient } from '@aws-sdk/client-lambda';
import { decodeProtectedHeader } from 'jose';
import { expect, inject, test } from 'vitest';
import { createClient } from '#lib/client/index';
import { admin } from './cloud.ts';
import { STACK } from './global-setup.ts';
import { rotate } from './rotation.ts';

const cloud = inject('cloud');
const url = inject('baseUrl');

test('a rotation publishes a key, and keeps the sessions of the one before', async () => {
  const password = inject('adminToken');
  const { JWTtoken } = await createClient({ url }).account.login({ username: 'api', password });
  const { kid } = decodeProtectedHeader(JWTtoken);
  await rotate(new LambdaClient(), STACK, inject('outputs')['SigningKeySecretId'] as string);
  const keys = JSON.parse(await admin(cloud, STACK, '--json', 'keys', 'list'));
  expect(keys.map(({ state }: { state: string }) => state)).toEqual(['published', 'signs']);
  expect(keys[1].kid).toBe(kid);
  const session = createClient({ url, credential: { session: JWTtoken } });
  expect(await session.account.profile()).toMatchObject({ user: { username: 'admin' } });
});
