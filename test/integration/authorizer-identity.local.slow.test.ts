import { join } from 'node:path';
import type { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, expect, test } from 'vitest';
import { ordersStack } from '#infra/aws/authorizer/example';
import { platformIssuer } from '#infra/local/issuer/issuer';
import { newFolder } from '../unit/support/folder.ts';
import { runAsset } from './asset-function.ts';
import { startInstance } from './instance-process.ts';
import { administratorOf } from './machine.ts';
import { noted } from './service.ts';
import { startSts, type TokenRequest } from './sts.ts';

const ROLE = 'arn:aws:iam::444455556666:role/orders-AuthorizerServiceRole-1A2B';
const MACHINE = 'orders-api';

/** The folder of the bundle that the example deploys. */
function assetOfExample(): string {
  const stack = ordersStack();
  const [authorizer] = Object.values(Template.fromStack(stack).findResources('AWS::Lambda::Function'));
  const file: string = authorizer?.['Properties'].Code.S3Key;
  return join((stack.node.root as App).outdir, `asset.${file.replace(/\.zip$/, '')}`);
}
const asset = assetOfExample();
const aws = platformIssuer(
  'aws',
  'https://a1d2b0fd-1177-4468-9351-2f1111222233.tokens.sts.global.api.aws',
  Date.now,
);
const settings = [{ name: 'aws', issuer: aws.url, jwks: await aws.keySet() }];
const instance = await startInstance({
  data: newFolder(),
  args: ['--memory', '--no-demo'],
  env: { Settings__Issuers: JSON.stringify(settings) },
});
const { url } = instance.ready;
const { post, createMachine } = administratorOf(instance);

const trusting = (subject: string) => post(`trust/create/aws/${MACHINE}`, { issuer: 'aws', subject });

let presented: string;

beforeAll(async () => {
  await createMachine(MACHINE, ['sys_introspection']);
  await trusting(ROLE);
  await post('account/create', { username: 'ada', roles: ['orders'] });
  presented = noted((await post('token/create/first/ada')).value as string);
});

/** Tokens of the role, in AWS's form. */
const ofRole = ({ audiences, seconds, algorithm }: TokenRequest) =>
  aws.token({
    audience: audiences.length === 1 ? (audiences[0] as string) : audiences,
    alg: algorithm as 'RS256',
    claims: { sub: ROLE, exp: Math.floor(Date.now() / 1000) + seconds },
  });

/** The deployed function of the authorizer, against the instance and an STS that issues tokens. */
async function openAuthorizer(issue = ofRole) {
  const sts = await startSts(issue);
  const authorizer = await runAsset(asset, {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'ASIA-OF-THE-ROLE',
    AWS_SECRET_ACCESS_KEY: 'of-the-role',
    AWS_SESSION_TOKEN: 'of-the-role',
    AWS_ENDPOINT_URL_STS: sts.url,
    CORE_ACCOUNT_URL: url,
    CORE_ACCOUNT_AUDIENCE: new URL(url).origin,
    CORE_ACCOUNT_TRUST: `aws@${MACHINE}`,
    CORE_ACCOUNT_ROLES: '["orders"]',
  });
  const ask = () =>
    authorizer.invoke<{ isAuthorized: boolean; context: object }>({
      headers: { authorization: `Token ${presented}` },
      requestContext: { http: { method: 'GET', sourceIp: '192.0.2.1' } },
    });
  return { ask, output: authorizer.output, requests: sts.requests };
}

const permitted = {
  isAuthorized: true,
  context: expect.objectContaining({ username: 'ada', roles: ['orders'] }),
};

test('the authorizer asks AWS once for a token of its role, and stores no secret', async () => {
  const { ask, requests } = await openAuthorizer();
  for (const _ of [1, 2, 3]) expect(await ask()).toEqual(permitted);
  expect(requests).toEqual([
    {
      audiences: [new URL(url).origin],
      seconds: 60,
      algorithm: 'RS256',
      accessKey: 'ASIA-OF-THE-ROLE',
    },
  ]);
});

test('the authorizer exchanges a new token when its session has ended', async () => {
  const { ask, requests } = await openAuthorizer();
  expect(await ask()).toEqual(permitted);
  await post(`trust/delete/aws/${MACHINE}`);
  await trusting(ROLE);
  expect(await ask(), 'the trust of the same name has another ID').toEqual(permitted);
  expect(requests).toHaveLength(2);
});

test('the authorizer fails without its trust, and works once the trust is there again', async () => {
  const { ask, output } = await openAuthorizer();
  expect(await ask()).toEqual(permitted);
  await post(`trust/delete/aws/${MACHINE}`);
  await expect(ask()).rejects.toThrow('The credential could not be checked');
  expect(output()).toContain('oauth.token: invalid_grant');
  await trusting(ROLE);
  expect(await ask()).toEqual(permitted);
});

test('the authorizer fails with the role of another, and logs no token', async () => {
  const issued: string[] = [];
  const { ask, output } = await openAuthorizer(async (request) => {
    const claims = { sub: ROLE.replace('orders', 'others'), exp: Math.floor(Date.now() / 1000) + 60 };
    const token = await aws.token({ audience: request.audiences[0] as string, alg: 'RS256', claims });
    issued.push(token);
    return token;
  });
  await expect(ask()).rejects.toThrow('The credential could not be checked');
  expect(issued).toHaveLength(1);
  for (const secret of [...issued, ...issued.map((token) => token.split('.')[2] as string), presented])
    expect(output()).not.toContain(secret);
});

test('the authorizer logs that the AWS account permits no tokens of its roles', async () => {
  const { ask, output } = await openAuthorizer(() => Promise.reject(new Error('disabled')));
  await expect(ask()).rejects.toThrow('The credential could not be checked');
  expect(output()).toContain('OutboundWebIdentityFederationDisabled');
});
