import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { NAMES } from '../../infra/local/machine/resource-names.ts';
import { ServiceError } from '../../infra/local/machine/service-error.ts';
import type { InstanceFile } from '../../infra/local/ready.ts';
import { openTestLogGroup } from '../unit/support/log-groups.ts';
import { openCloudFormation } from './cloud-formation.ts';
import { run } from './operator.ts';
import { uniqueName } from './service.ts';

/** The instance under test, in the clothes of a stack: CloudFormation and CloudWatch Logs answer for it. */
const file = await readFile(join(inject('data'), 'instance.json'), 'utf8').catch(() => '{}');
const { table, dynamodb, events, secretsmanager, credentials } = JSON.parse(file) as InstanceFile;
const logs = await openTestLogGroup('the-audit-log', credentials?.accessKeyId);

const outputs: Record<string, string> = {
  TableName: table,
  InstanceName: NAMES.instance,
  EventBusName: NAMES.eventBus,
  SigningKeySecretId: NAMES.signingKey,
  BcryptCost: '10',
};

const cloudFormation = await openCloudFormation(outputs);
afterAll(() => cloudFormation.close());

const onStack = (args: readonly string[]) =>
  run(args, '', {
    where: ['--stack', 's', '--region', 'us-east-1'],
    env: {
      AWS_ACCESS_KEY_ID: credentials?.accessKeyId ?? 'local',
      AWS_SECRET_ACCESS_KEY: credentials?.secretAccessKey ?? 'local',
      AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.url,
      AWS_ENDPOINT_URL_CLOUDWATCH_LOGS: logs.url,
      AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
      AWS_ENDPOINT_URL_EVENTBRIDGE: events,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsmanager,
    },
  });

test.skipIf(file === '{}')(
  'operator commands write to the audit log of a stack, in a stream of their own, and read it',
  async () => {
    outputs['AuditLogGroupName'] = 'the-audit-log';
    const username = uniqueName();
    expect(await onStack(['account', 'create', username])).toMatchObject({ code: 0 });
    const [line] = logs.lines('operators') ?? [];
    const entry = { action: 'admin account create', target: username, outcome: 'ok', changed: true };
    expect(JSON.parse(line?.message ?? '')).toMatchObject({ level: 'audit', ...entry });

    const { stdout } = await onStack(['audit', '--target', username, '--since', '1h', '--json']);
    expect(JSON.parse(stdout)).toMatchObject([entry]);
    expect(logs.calls.at(-1)).toMatchObject({
      operation: 'FilterLogEvents',
      input: { filterPattern: `{ ($.target = "${username}" || $.target = "*@${username}") }` },
    });
  },
);

test.skipIf(file === '{}')(
  'a command works, and says so, where the audit log cannot be written',
  async () => {
    outputs['AuditLogGroupName'] = 'the-audit-log';
    logs.script(() => {
      throw new ServiceError('AccessDeniedException', 'You may not write');
    });
    const { code, stderr } = await onStack(['account', 'create', uniqueName()]);
    expect(code).toBe(0);
    expect(stderr).toContain('You may not write');
  },
);

test.skipIf(file === '{}')('a command works, and says so, where the stack has no audit log yet', async () => {
  delete outputs['AuditLogGroupName'];
  const { code, stderr } = await onStack(['account', 'create', uniqueName()]);
  expect(code).toBe(0);
  expect(stderr).toContain('The stack has no audit log yet');
  expect(await onStack(['audit'])).toMatchObject({ code: 1, stderr: expect.stringContaining('deploy it') });
  expect(logs.calls).toEqual([]);
});
