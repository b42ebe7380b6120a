import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { beforeAll, expect, inject, test } from 'vitest';
import { createClient } from '#lib/client/index';
import { deploy } from './cloud.ts';

const url = inject('baseUrl');
const api = createClient({ url, credential: { token: inject('adminToken') } });

const newToken = async (username: string, roles: string[]) => {
  await api.account.create({ username, roles });
  return (await api.token.create({ username, token_name: 'first' })).value;
};

let orders: string;

beforeAll(async () => {
  const SecretString = await newToken('stack.introspects', ['sys_introspection']);
  const { ARN } = await new SecretsManagerClient().send(
    new CreateSecretCommand({ Name: 'orders/core-account-token', SecretString }),
  );
  const options = [`url=${url}`, `token=${ARN}`];
  const app = 'node test/stack/apps/authorizer.ts';
  orders = (await deploy(inject('cloud'), 'orders', { app, options }))['Url'] as string;
});

test('the API of another stack serves accounts with the role, and refuses others', async () => {
  const call = async (authorization: string) => (await fetch(orders, { headers: { authorization } })).status;
  expect(await call(`Token ${await newToken('stack.orders', ['orders'])}`)).toBe(200);
  expect(await call(`Token ${await newToken('stack.other', [])}`)).toBe(403);
  expect(await call('Token made.up')).toBe(403);
  expect((await fetch(orders)).status).toBe(401);
});
