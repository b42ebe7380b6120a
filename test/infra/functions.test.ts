import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Statement } from '#infra/policy';
import { login } from '#lib/account/contracts';
import { ATTRIBUTES, leadingKeyOf } from '#lib/contract/needs';
import { APP_ID, ENVIRONMENT } from '#lib/environment';
import { functions, jobs, memoryOf, needsOf, timeoutOf } from '#lib/routes';
import { rotateSigningKey } from '#lib/session/jobs';
import { settingVariable } from '#lib/settings';
import { INDEX_PARTITIONS, PARTITIONS } from '#lib/table/keys';
import { allGrants, grantsOf, permissions, roleOf } from './grants.ts';
import { functionOf, logGroupOf, type Resource, render, synthesize } from './synth.ts';

const stack = synthesize();
const table = stack.one('AWS::DynamoDB::GlobalTable').id;
const bus = stack.one('AWS::Events::EventBus').id;
const secret = stack.one('AWS::SecretsManager::Secret').id;
const failures = stack.one('AWS::SQS::Queue').id;

/** The only permissions with a wildcard: X-Ray has no resources. */
const TRACING = ['xray:PutTelemetryRecords on *', 'xray:PutTraceSegments on *'];

const auditLog = stack.of('AWS::Logs::LogGroup').find(({ id }) => id.startsWith('AuditLog'))?.id;

const KINDS = Object.keys({ ...PARTITIONS, ...INDEX_PARTITIONS }) as Parameters<typeof leadingKeyOf>[0][];

/** Parts of a permission as `grantsOf` writes it. */
const PERMISSION = /^(\w+):(\w+) on \$\{([^ ]+?)\}?(?: only (.*?))?(?: naming (.*?))?(?: in (.*))?$/;

/**
 * The needs of contracts that a permission of the template meets; none for the log of the function.
 *
 * @throws Error for a permission that meets no need
 */
function needsMetBy(permission: string): string[] {
  if (TRACING.includes(permission)) return [];
  const [, service, action, resource, only = '', naming, enclosing] = PERMISSION.exec(permission) ?? [];
  const [id, index] = (resource ?? '').split('.Arn}/index/');
  if (service === 'logs' && id === `${auditLog}.Arn`) return action === 'PutLogEvents' ? ['audit:write'] : [];
  if (service === 'logs') return [];
  if (service === 'sqs' && id === `${failures}.Arn`) return [];
  if (service === 'events' && id === `${bus}.Arn`) return [`events:${action}`];
  if (service === 'secretsmanager' && id === secret) return [`secret:${action}`];
  if (service !== 'dynamodb' || (index ? id : id?.replace(/\.Arn$/, '')) !== table)
    throw new Error(`Nothing needs ${permission}`);
  const kinds = KINDS.filter((kind) => only.split(' ').includes(leadingKeyOf(kind)));
  if (kinds.length !== only.split(' ').length) throw new Error(`No kind of item is all of ${only}`);
  const limit = Object.entries(ATTRIBUTES).find(([, names]) => names.join(' ') === naming)?.[0];
  if (naming && !limit) throw new Error(`No need is limited to ${naming}`);
  if (enclosing && enclosing !== 'TransactWriteItems') throw new Error(`Nothing writes in ${enclosing}`);
  const place = index ? `index:${index}` : `${enclosing ? 'transaction' : 'table'}:${action}`;
  return kinds.map((kind) => [place, kind, ...(limit ? [limit] : [])].join(':'));
}

const isInTransaction = (need: string) => need.startsWith('transaction:');

/** The actions, or the kinds of items, of needs in transactions, each with its limit. */
function inTransactions(needs: readonly string[], place: 1 | 2): string[] {
  const parts = needs.filter(isInTransaction).map((need) => need.split(':'));
  return [...new Set(parts.map((each) => `${each[place]} ${each[3] ?? ''}`))].sort();
}

const variablesOf = ({ Properties }: Resource) =>
  (Properties['Environment'] as { Variables: Record<string, unknown> }).Variables;

const rolesThat = (permission: RegExp) =>
  functions
    .filter(({ id }) => {
      const role = roleOf(stack, functionOf(stack, id));
      return role && grantsOf(stack, role).some((grant) => permission.test(grant));
    })
    .map(({ id }) => id);

const idsOf = (type: string) =>
  stack
    .of(type)
    .map(({ id }) => id)
    .sort();

it('the stack has a function and a role for each definition, and no other', () => {
  const found = functions.map(({ id }) => functionOf(stack, id));
  expect(idsOf('AWS::Lambda::Function')).toEqual(found.map(({ id }) => id).sort());
  expect(idsOf('AWS::IAM::Role')).toEqual(found.map((fn) => roleOf(stack, fn)?.id).sort());
  expect(new Set(functions.map(({ id }) => logGroupOf(stack, id))).size).toBe(functions.length);
});

it('only Lambda may assume a role, which has a policy of its own only', () => {
  const trust = { Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' } };
  for (const { Properties } of stack.of('AWS::IAM::Role')) {
    expect(Object.keys(Properties)).toEqual(['AssumeRolePolicyDocument']);
    expect(Properties['AssumeRolePolicyDocument']).toMatchObject({ Statement: [trust] });
  }
  for (const { Properties } of stack.of('AWS::IAM::Policy')) expect(Properties['Roles']).toHaveLength(1);
});

it('only the permission to send traces has a wildcard in its action or its resource', () => {
  const actionsAndResources = allGrants(stack).map((grant) => grant.replace(/ only .*/, ''));
  expect(actionsAndResources.filter((grant) => grant.includes('*') && !TRACING.includes(grant))).toEqual([]);
});

it('only scheduled jobs may leave failures in the queue, and nobody may do anything else with it', () => {
  const scheduled = jobs.filter(({ trigger }) => typeof trigger === 'object').map(({ id }) => id);
  expect(rolesThat(/^sqs:SendMessage /)).toEqual(scheduled);
  expect(rolesThat(/^sqs:(?!SendMessage )/)).toEqual([]);
});

it('only login and the rotation may read the signing key, and only the rotation may change it', () => {
  expect(rolesThat(/^secretsmanager:GetSecretValue /)).toEqual([login.id, rotateSigningKey.id]);
  const rotation = grantsOf(stack, roleOf(stack, functionOf(stack, rotateSigningKey.id)) as Resource);
  const changes = ['DescribeSecret', 'PutSecretValue', 'UpdateSecretVersionStage'];
  expect(rotation.filter((one) => /^secretsmanager:(?!GetSecretValue )/.test(one))).toEqual(
    changes.map((action) => `secretsmanager:${action} on \${${secret}}`),
  );
  expect(rolesThat(/^secretsmanager:(?!GetSecretValue )/)).toEqual([rotateSigningKey.id]);
});

it('the local instance enforces the deployed policies', async () => {
  const printer = join(import.meta.dirname, '../../infra/aws/policies.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [printer]);
  const printed = JSON.parse(stdout) as Record<string, Statement[]>;
  expect(Object.keys(printed).sort()).toEqual(functions.map(({ id }) => id).sort());
  const types = new Map(
    stack.all.map(({ id, Type }) => [id, stack.of(Type).length > 1 ? `${Type} ${id}` : Type]),
  );
  const typed = (text: string) => text.replace(/\$\{(\w+)(\.Arn)?\}/, (_, id) => `\${${types.get(id)}}`);
  for (const { id } of functions) {
    const deployed = grantsOf(stack, roleOf(stack, functionOf(stack, id)) as Resource).map(typed);
    expect((printed[id] as Statement[]).flatMap(permissions).sort()).toEqual(deployed.sort());
  }
});

it('the template contains no secret and no reference to one', () => {
  expect(/\{\{resolve:|"SecretString"|"NoEcho"/.exec(stack.text)).toBeNull();
});

describe.each(functions)('$id', (definition) => {
  const fn = functionOf(stack, definition.id);

  const granted = grantsOf(stack, roleOf(stack, fn) as Resource);
  const needs: string[] = [...needsOf(definition)];
  const met = granted.flatMap(needsMetBy).filter((need) => !need.startsWith('secret:'));
  const ofSecret = granted.filter((permission) => permission.startsWith('secretsmanager:'));

  it('may do everything that its contract needs', () => {
    expect(met).toEqual(expect.arrayContaining(needs.filter((need) => !need.startsWith('signing-key:'))));
    expect(ofSecret.length > 0).toBe(needs.some((need) => need.startsWith('signing-key:')));
  });

  it('may do nothing else, in transactions by each action and each kind of item', () => {
    const alone = (need: string) => !isInTransaction(need) && !need.startsWith('signing-key:');
    expect(met.filter(alone).sort()).toEqual(needs.filter(alone).sort());
    for (const place of [1, 2] as const)
      expect(inTransactions(met, place)).toEqual(inTransactions(needs, place));
  });

  it('is traced by Lambda, without a layer, and may send its traces', () => {
    expect(fn.Properties).toMatchObject({ TracingConfig: { Mode: 'Active' } });
    expect(fn.Properties).not.toHaveProperty('Layers');
    expect(granted.filter((permission) => permission.startsWith('xray:'))).toEqual(TRACING);
  });

  it('may write its own log, and the audit log when it needs that', () => {
    const groups = [
      ...(needs.includes('audit:write') ? [auditLog] : []),
      logGroupOf(stack, definition.id).slice(2, -1),
    ];
    const own = ['CreateLogStream', 'PutLogEvents'].flatMap((name) =>
      groups.map((group) => `logs:${name} on \${${group}.Arn}`),
    );
    expect(granted.filter((permission) => permission.startsWith('logs:'))).toEqual(own);
  });

  it('has a variable for each resource that it needs', () => {
    const bound = (pattern: RegExp, variable: string, value: string) =>
      needs.some((need) => pattern.test(need)) ? { [variable]: value } : {};
    const variables = Object.entries(variablesOf(fn)).map(([name, value]) => [name, render(value)]);
    expect(Object.fromEntries(variables)).toEqual({
      [ENVIRONMENT.instance]: 'core-account',
      [APP_ID]: definition.id,
      [settingVariable('ApiUrl')]: `\${${stack.one('AWS::ApiGatewayV2::Api').id}.ApiEndpoint}`,
      ...bound(/^(table|transaction|index):/, ENVIRONMENT.table, `\${${table}}`),
      ...bound(/^events:/, ENVIRONMENT.eventBus, `\${${bus}}`),
      ...bound(/^signing-key:/, ENVIRONMENT.signingKey, `\${${secret}}`),
      ...bound(/^audit:/, ENVIRONMENT.auditLog, `\${${auditLog}}`),
    });
  });

  it('runs on Node 24 with the memory and the time of its contract', () => {
    expect(fn.Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      MemorySize: memoryOf(definition),
      Timeout: timeoutOf(definition),
    });
  });
});
