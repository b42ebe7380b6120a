import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CloudFormationClient,
  CreateStackCommand,
  DescribeStackEventsCommand,
} from '@aws-sdk/client-cloudformation';
import {
  CloudWatchLogsClient,
  CreateLogStreamCommand,
  DescribeLogStreamsCommand,
  PutLogEventsCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { GetFunctionConfigurationCommand, InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  GetSecretValueCommand,
  RotateSecretCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { deploy, type Outputs } from './cloud.ts';
import { LEFT_OUT, type PATCHED } from './differences.ts';
import { ACCOUNT, REGION } from './emulator.ts';
import { STACK } from './global-setup.ts';
import { standIn, type Template, withReferences } from './rewrite.ts';

/** The list must shrink: each test here fails when the emulator no longer needs its row. */
const cloud = inject('cloud');
const original: Template = JSON.parse(readFileSync(join(cloud.folder, STACK, 'original.json'), 'utf8'));

describe('the emulator refuses', () => {
  const cloudFormation = new CloudFormationClient();

  test.each(LEFT_OUT.map((row) => [row.what, row] as const))('%s', async (_, { leaves, refusal }) => {
    const [resource] = Object.values(original.Resources).filter(leaves);
    expect(resource).toBeDefined();
    const alone = withReferences({ Resources: { Alone: { ...resource, DependsOn: [] } } }, (id) =>
      id.startsWith('AWS::') ? undefined : standIn(id),
    );
    const StackName = `refused-${randomUUID()}`;
    const create = new CreateStackCommand({ StackName, TemplateBody: JSON.stringify(alone) });
    const atOnce = await cloudFormation.send(create).then(
      () => '',
      (error: Error) => error.message,
    );
    const reasons = async () => {
      if (atOnce) return atOnce;
      const { StackEvents = [] } = await cloudFormation.send(new DescribeStackEventsCommand({ StackName }));
      return StackEvents.map(({ ResourceStatusReason: reason = '' }) => reason).join('\n');
    };
    await expect.poll(reasons).toMatch(refusal);
  });
});

describe('the emulator needs', () => {
  let outputs: Outputs;
  const output = (name: string) => outputs[name] as string;
  const lambda = new LambdaClient();
  const invoke = async (FunctionName: string) => {
    const { Payload } = await lambda.send(new InvokeCommand({ FunctionName }));
    return `${Payload?.transformToString()}`;
  };
  let limited: ConstructorParameters<typeof DynamoDBClient>[0];

  beforeAll(async () => {
    outputs = await deploy(cloud, 'differences', { app: 'node test/stack/apps/differences.ts', asIs: true });
    const asked = new AssumeRoleCommand({ RoleArn: output('Role'), RoleSessionName: 'limited' });
    const { Credentials } = await new STSClient().send(asked);
    const {
      AccessKeyId: accessKeyId = '',
      SecretAccessKey: secretAccessKey = '',
      SessionToken,
    } = Credentials ?? {};
    limited = {
      credentials: { accessKeyId, secretAccessKey, ...(SessionToken && { sessionToken: SessionToken }) },
    };
  });

  const rows: Readonly<Record<keyof typeof PATCHED, () => Promise<void>>> = {
    secret: async () => expect(output('SecretRef')).not.toMatch(/^arn:/),
    conditions: async () => {
      const read = new GetItemCommand({ TableName: output('Table'), Key: { PK: { S: 'own' } } });
      await expect(new DynamoDBClient(limited ?? {}).send(read)).rejects.toThrow(/not authorized/);
    },
    logs: async () => {
      const create = new CreateLogStreamCommand({ logGroupName: output('Logs'), logStreamName: 'own' });
      await expect(new CloudWatchLogsClient(limited ?? {}).send(create)).rejects.toThrow(/not authorized/);
    },
    filters: async () => {
      const logs = new CloudWatchLogsClient();
      const stream = { logGroupName: output('Logs'), logStreamName: 'lines' };
      await logs.send(new CreateLogStreamCommand(stream));
      const line = { timestamp: Date.now(), message: '{"level":"audit"}' };
      await logs.send(new PutLogEventsCommand({ ...stream, logEvents: [line] }));
      await sleep(2000);
      const logGroupName = `/aws/lambda/${output('Receiver')}`;
      const { logStreams } = await logs.send(new DescribeLogStreamsCommand({ logGroupName }));
      expect(logStreams).toEqual([]);
    },
    sdk: async () => expect(await invoke(output('Sdk'))).toMatch(/bundle the module/),
    handler: async () => expect(await invoke(output('CommonJs'))).toMatch(/Cannot find module/),
    streams: async () => {
      const FunctionName = inject('outputs')['RelayFunctionName'] as string;
      const { LoggingConfig } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
      const list = new DescribeLogStreamsCommand({ logGroupName: LoggingConfig?.LogGroup as string });
      const { logStreams = [] } = await new CloudWatchLogsClient().send(list);
      expect(logStreams.map(({ logStreamName = '' }) => logStreamName)).not.toContainEqual(
        expect.stringContaining(FunctionName),
      );
      expect(logStreams.length).toBeGreaterThan(0);
    },
    rotation: async () => {
      const secrets = new SecretsManagerClient();
      const SecretId = output('SecretRef');
      const RotationLambdaARN = `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${output('Receiver')}`;
      await secrets.send(
        new RotateSecretCommand({
          SecretId,
          RotationLambdaARN,
          RotationRules: { AutomaticallyAfterDays: 1 },
        }),
      );
      const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId }));
      // Secrets Manager would wait for the function to make the new version the current one.
      expect(SecretString).toBe('first');
    },
  };

  test.each(Object.entries(rows))('%s', (_, shows) => shows());
});
