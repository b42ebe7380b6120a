import { randomUUID } from 'node:crypto';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  CreateSecretCommand,
  GetSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { beforeAll, expect, inject, test } from 'vitest';
import { createClient } from '#lib/client/index';
import { functionNameOf } from '../../infra/aws/function.ts';
import { admin, deployService, mustRun, type Outputs, run } from './cloud.ts';
import { rotateBoth } from './rotation.ts';

/** A stack of its own, which these tests change, break, destroy and build again, one after the other. */
const TRIAL = 'trial';
const cloud = inject('cloud');
const lambda = new LambdaClient();
let outputs: Outputs;
let token: string;

const ping = async () =>
  (await createClient({ url: outputs['ApiUrl'] as string, credential: { token } }).system.ping()) as unknown;

const configurationOf = (id: string) =>
  lambda.send(new GetFunctionConfigurationCommand({ FunctionName: functionNameOf(TRIAL, id) }));

const status = async () => {
  const { Stacks = [] } = await new CloudFormationClient().send(
    new DescribeStacksCommand({ StackName: TRIAL }),
  );
  return Stacks[0]?.StackStatus;
};

beforeAll(async () => {
  outputs = await deployService(cloud, TRIAL);
  await rotateBoth(lambda, TRIAL, outputs);
  await run(cloud, ['bash', '-c', outputs['FirstAdministratorCommand'] as string], `${randomUUID()}\n`);
  token = (await admin(cloud, TRIAL, 'token', 'create', 'trial', 'admin')).trim();
});

test('a changed setting updates the functions that read it, and no other', async () => {
  const before = await Promise.all(['account.login', 'system.ping'].map(configurationOf));
  outputs = await deployService(cloud, TRIAL, { options: ['Settings:JwtExpireHours=1'] });
  const [login, pong] = await Promise.all(['account.login', 'system.ping'].map(configurationOf));
  expect(login?.Environment?.Variables).toMatchObject({ Settings__JwtExpireHours: '1' });
  expect(pong?.LastModified).toBe(before[1]?.LastModified);
});

test('a changed endpoint answers in its new way', async () => {
  expect(await ping()).toMatchObject({ ping: 'pong' });
  await deployService(cloud, TRIAL, {
    edit: ({ editCode }) =>
      editCode('ping', (code) => code.replaceAll('"pong"', '"pong of the next version"')),
  });
  expect(await ping()).toMatchObject({ ping: 'pong of the next version' });
});

test('a deployment that fails rolls back to what was deployed before', async () => {
  const before = await configurationOf('account.login');
  const failing = deployService(cloud, TRIAL, {
    options: ['Settings:JwtExpireHours=2'],
    edit: (assembly) => {
      const { Resources } = assembly.template;
      const [login = ''] = Object.keys(Resources).filter((id) => id.startsWith('accountloginFunction'));
      const Broken = { Type: 'AWS::SQS::Queue', Properties: { DelaySeconds: 'none' }, DependsOn: login };
      assembly.template = { ...assembly.template, Resources: { ...Resources, Broken } };
    },
  });
  await expect(failing).rejects.toThrow(/Broken/);
  expect(await status()).toBe('UPDATE_ROLLBACK_COMPLETE');
  const { Environment } = await configurationOf('account.login');
  expect(Environment).toEqual(before.Environment);
  await ping();
});

test('a destroyed stack leaves its table, which another adopts with accounts, tokens and the erasure key', async () => {
  const { TableName: table = '', ErasureKeySecretId: SecretId = '' } = outputs;
  // The emulator deletes the secret with its stack, in spite of its policy: another one keeps the key.
  const secrets = new SecretsManagerClient();
  const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId }));
  const { ARN: kept = '' } = await secrets.send(new CreateSecretCommand({ Name: 'kept', SecretString }));
  await mustRun(cloud, 'cdk', 'destroy', '--force', '-c', `stackName=${TRIAL}`);
  await expect(status()).rejects.toThrow(/does not exist/);
  outputs = await deployService(cloud, TRIAL, { options: [`tableName=${table}`] });
  expect(outputs['TableName']).toBe(table);
  await ping();
  const create = () => admin(cloud, TRIAL, 'account', 'create', 'after.adoption');
  await expect(create()).rejects.toThrow(/erasure_key_differs/);
  await admin(cloud, TRIAL, 'restore', 'adopt-key', '--from', kept);
  await create();
});
