import { createServer } from 'node:http';
import { join } from 'node:path';
import type { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { decodeJwt } from 'jose';
import { beforeAll, expect, test } from 'vitest';
import { resourceStack } from '#infra/aws/authorizer/resource-example';
import { listen } from '../../infra/local/machine/listen.ts';
import { newFolder } from '../unit/support/folder.ts';
import { runAsset } from './asset-function.ts';
import { startInstance } from './instance-process.ts';
import { administratorOf } from './machine.ts';
import { ORDERS, RESOURCES } from './resources.ts';
import { noted } from './service.ts';

/** The folder of the bundle that the example deploys for its REST API, and its variables. */
function functionOfExample() {
  const stack = resourceStack();
  const [authorizer] = Object.values(Template.fromStack(stack).findResources('AWS::Lambda::Function'));
  const { Code, Environment } = authorizer?.['Properties'] ?? {};
  const asset = join((stack.node.root as App).outdir, `asset.${Code.S3Key.replace(/\.zip$/, '')}`);
  return { asset, variables: Environment.Variables as Record<string, string> };
}
const { asset, variables } = functionOfExample();
const instance = await startInstance({
  data: newFolder(),
  args: ['--memory', '--no-demo'],
  env: { Settings__Resources: RESOURCES },
});
const { url } = instance.ready;
const { post } = administratorOf(instance);
const secrets: Record<string, string> = {};

beforeAll(async () => {
  for (const [username, role] of Object.entries({ ada: 'orders', bob: 'stock' })) {
    await post('account/create', { username, roles: [role] });
    secrets[username] = noted((await post(`token/create/first/${username}`)).value as string);
  }
});

async function tokenOf(username: string, resource?: string): Promise<string> {
  const authorization = `Basic ${btoa(`first:${secrets[username]}`)}`;
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...(resource && { resource }) });
  const answer = await fetch(`${url}/api/core/oauth/token`, {
    method: 'POST',
    headers: { authorization },
    body,
  });
  return noted(((await answer.json()) as { access_token: string }).access_token);
}

/** The function of the REST API, with an issuer that a stack would not accept: the instance has no TLS. */
async function openFunction(issuer = url) {
  const { invoke, output } = await runAsset(asset, { ...variables, CORE_ACCOUNT_ISSUER: issuer });
  const methodArn = 'arn:aws:execute-api:eu-central-1:444455556666:a1b2c3/prod/GET/orders';
  const decide = (token: string) =>
    invoke<{ context: object; policyDocument: { Statement: [{ Effect: string }] } }>({
      type: 'TOKEN',
      authorizationToken: `Bearer ${token}`,
      methodArn,
    });
  return { decide, output };
}

test('the function lets in a token of the instance for its audience, and refuses others, without a log line', async () => {
  const { decide, output } = await openFunction();
  const token = await tokenOf('ada', ORDERS);
  const { context, policyDocument } = await decide(token);
  expect(policyDocument.Statement[0].Effect).toBe('Allow');
  expect(context).toEqual({ ...idsIn(token), client_id: 'first', roles: 'orders' });
  const { policyDocument: denied } = await decide(await tokenOf('bob', ORDERS));
  expect(denied.Statement[0].Effect, 'bob lacks the role').toBe('Deny');
  await expect(decide(await tokenOf('ada')), 'a session').rejects.toThrow(/^Unauthorized$/);
  await expect(decide(secrets['ada'] as string), 'an API token').rejects.toThrow(/^Unauthorized$/);
  expect(output()).toBe('');
});

const idsIn = (token: string) => {
  const { sub, jti } = decodeJwt(token);
  return { sub, jti };
};

test('the function lets in nobody without keys, and logs why, without the token', async () => {
  const closed = await listen(createServer());
  await closed.close();
  const { decide, output } = await openFunction(closed.url);
  const token = await tokenOf('ada', ORDERS);
  const reason = `The keys of ${closed.url} could not be read`;
  await expect(decide(token)).rejects.toThrow(reason);
  await expect.poll(output).toContain(reason);
  expect(output()).not.toContain(token.split('.')[2]);
});
