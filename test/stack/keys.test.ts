import { LambdaClient } from '@aws-sdk/client-lambda';
import { decodeProtectedHeader } from 'jose';
import { expect, inject, test } from 'vitest';
import { createClient } from '#lib/client/index';
import { admin } from './cloud.ts';
import { STACK } from './global-setup.ts';
import { rotate, rotateResources } from './rotation.ts';

const cloud = inject('cloud');
const url = inject('baseUrl');

const keysOf = async (use: string) => {
  const keys = JSON.parse(await admin(cloud, STACK, '--json', 'keys', 'list'));
  return (keys as Record<'kid' | 'state' | 'signs', string>[]).filter(({ signs }) => signs === use);
};

test('a rotation publishes a key, and keeps the sessions of the one before', async () => {
  const password = inject('adminToken');
  const { JWTtoken } = await createClient({ url }).account.login({ username: 'api', password });
  const { kid } = decodeProtectedHeader(JWTtoken);
  await rotate(new LambdaClient(), STACK, inject('outputs')['SigningKeySecretId'] as string);
  const keys = await keysOf('sessions');
  expect(keys.map(({ state }) => state)).toEqual(['published', 'signs']);
  expect(keys[1]?.kid).toBe(kid);
  const session = createClient({ url, credential: { session: JWTtoken } });
  expect(await session.account.profile()).toMatchObject({ user: { username: 'admin' } });
});

test('a rotation of the keys for other services replaces the successor while gateways do not know it, and both are published', async () => {
  const before = await keysOf('resources');
  expect(before.map(({ state }) => state).sort()).toEqual(['published', 'signs']);
  const signing = before.find(({ state }) => state === 'signs');
  await rotateResources(new LambdaClient(), STACK, inject('outputs'));
  const keys = await keysOf('resources');
  const signs = keys.filter(({ state }) => state === 'signs').map(({ kid }) => kid);
  expect(signs).toEqual([signing?.kid]);
  const response = await fetch(`${url}/.well-known/jwks.json`);
  const published = ((await response.json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
  expect(published.sort()).toEqual(keys.map(({ kid }) => kid).sort());
});
