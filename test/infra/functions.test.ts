import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { functionNameOf } from '#infra/aws/function';
import type { Statement } from '#infra/policy';
import { refillAudit } from '#lib/audit/jobs';
import { ATTRIBUTES } from '#lib/contract/attributes';
import { leadingKeyOf } from '#lib/contract/needs';
import { APP_ID, ENVIRONMENT } from '#lib/instance/environment';
import { settingVariable } from '#lib/instance/settings';
import { contract as login } from '#lib/login/login.contract';
import { contract as password } from '#lib/login/password.contract';
import { relayOutbox } from '#lib/outbox/jobs';
import { contract as assertion } from '#lib/passkey/passkey-assert.contract';
import { rotateResourceKey } from '#lib/resource/jobs';
import { functions, jobs, memoryOf, needsOf, timeoutOf } from '#lib/routes';
import { rotateSigningKey } from '#lib/session/jobs';
import { INDEX_PARTITIONS, PARTITIONS } from '#lib/table/keys';
import { NAMING } from '#lib/table/scan';
import { allGrants, grantsOf, permissions, roleOf } from './grants.ts';
import {
  ERASURE_KEY,
  EVERY_OPTION,
  functionOf,
  logGroupOf,
  queueOf,
  RESOURCE_KEY,
  type Resource,
  render,
  synthesize,
} from './synth.ts';

const stack = synthesize();
const table = stack.one('AWS::DynamoDB::GlobalTable').id;
const bus = stack.one('AWS::Events::EventBus').id;
const secret = stack.one('AWS::SecretsManager::Secret').id;
const resourceKey = stack.one(RESOURCE_KEY).id;
const erasureKey = stack.one(ERASURE_KEY).id;
const failures = queueOf(stack, 'failed jobs').id;

const auditLog = stack.of('AWS::Logs::LogGroup').find(({ id }) => id.startsWith('AuditLog'))?.id;

const KINDS = Object.keys({ ...PARTITIONS, ...INDEX_PARTITIONS }) as Parameters<typeof leadingKeyOf>[0][];

/** The scan of the table: it may read only the attributes that name accounts, and must ask for them. */
const SCAN = `dynamodb:Scan on \${${table}.Arn} selecting SPECIFIC_ATTRIBUTES reading ${NAMING.join(' ')}`;

/** Parts of a permission as `grantsOf` writes it. */
const PERMISSION =
  /^(\w+):(\w+) on (?:\$\{)?([^ ]+?)\}?(?: with (.*?))?(?: only (.*?))?(?: naming (.*?))?(?: in (.*?))?(?: beside (.*))?$/;

/**
 * The needs of contracts that a permission of the template covers; none for the log of the function.
 *
 * @throws Error for a permission that covers no need
 */
function needsMetBy(permission: string): string[] {
  if (permission.endsWith(`:log-group:\${${auditLog}}:log-stream:functions/verified`)) return ['audit:write'];
  if (/^logs:PutLogEvents on arn:.*:log-stream:/.test(permission)) return [];
  const [, service, action, resource, common, only = '', naming, enclosing, beside] =
    PERMISSION.exec(permission) ?? [];
  const [id, index] = (resource ?? '').split('.Arn}/index/');
  if (service === 'logs' && action === 'FilterLogEvents')
    return [id === `${auditLog}.Arn` ? 'audit:read' : 'function-log:read'];
  if (service === 'logs') return [];
  if (service === 'sqs' && id === `${failures}.Arn`) return [];
  if (service === 'events' && id === `${bus}.Arn`) return [`events:${action}`];
  if (service === 'secretsmanager' && (id === secret || id === resourceKey)) return [`secret:${action}`];
  if (service === 'secretsmanager' && id === erasureKey) return ['erasure-key:read'];
  if (permission === SCAN) return ['names:scan'];
  if (service !== 'dynamodb' || (index ? id : id?.replace(/\.Arn$/, '')) !== table)
    throw new Error(`Nothing needs ${permission}`);
  const kinds = KINDS.filter((kind) => only.split(' ').includes(leadingKeyOf(kind)));
  if (kinds.length !== only.split(' ').length) throw new Error(`No kind of item is all of ${only}`);
  if (common) {
    // The writes of a transaction with several kinds of item, judged as a whole: never one write alone.
    expect([common, enclosing]).toEqual([beside, 'TransactWriteItems']);
    return [];
  }
  const isWhole = ([what, names]: [string, readonly string[]]) =>
    kinds.includes(what.split(':')[0] as never) && ['PK', 'SK', ...[...names].sort()].join(' ') === naming;
  const [write] = Object.entries(ATTRIBUTES).find(isWhole) ?? [];
  if (/^(Put|Update)/.test(action as string) !== (write !== undefined))
    throw new Error(`No need is limited to ${naming}`);
  if (enclosing && enclosing !== 'TransactWriteItems') throw new Error(`Nothing writes in ${enclosing}`);
  const place = index ? `index:${index}` : `${enclosing ? 'transaction' : 'table'}:${action}`;
  return write ? [`${place}:${write}`] : kinds.map((kind) => `${place}:${kind}`);
}

/** The needs that have grants of their own: a permission for a write alone covers it in transactions. */
const ownGrants = (needs: readonly string[]) =>
  needs
    .filter((need) => !/^(signing|resource)-key:/.test(need))
    .filter((need) => !/^transaction:/.test(need) || !needs.includes(need.replace(/^transaction/, 'table')))
    .map((need) => need.replace(/^(\w+:(Delete|ConditionCheck)Item:[A-Z]+):.*$/, '$1'));

const variablesOf = ({ Properties }: Resource) =>
  (Properties['Environment'] as { Variables: Record<string, unknown> }).Variables;

const rolesThat = (permission: RegExp) =>
  functions
    .filter(({ id }) => {
      const role = roleOf(stack, functionOf(stack, id));
      return role && grantsOf(role).some((grant) => permission.test(grant));
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
  expect(new Set(functions.map(({ id }) => logGroupOf(stack, id))).size).toBe(1);
});

it('only Lambda may assume a role, which has a policy of its own only', () => {
  const trust = { Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' } };
  for (const { Properties } of stack.of('AWS::IAM::Role')) {
    expect(Object.keys(Properties).sort()).toEqual(['AssumeRolePolicyDocument', 'Policies']);
    expect(Properties['AssumeRolePolicyDocument']).toMatchObject({ Statement: [trust] });
  }
  expect(stack.text).not.toMatch(/AWS::IAM::Policy/);
});

it.each([
  ['without options', stack],
  ['with every option', synthesize(EVERY_OPTION)],
])('two policies of operators %s are within the 6,144 characters of IAM, and not attached', (_, { of }) => {
  const policies = of('AWS::IAM::ManagedPolicy').map(({ Properties }) => Properties);
  expect(policies).toHaveLength(2);
  for (const { PolicyDocument, ...others } of policies) {
    expect(Object.keys(others).sort()).toEqual(['Description', 'Path']);
    // The longest ARN is that of the table, the longest other names those of secrets and log groups: of a stack with 38 characters.
    const lengths: Readonly<Record<string, number>> = { Region: 14, AccountId: 12, Partition: 10 };
    const ofOthers = (name: string) => (/Secret/.test(name) ? 112 : 70);
    const lengthOf = (name: string) =>
      name.endsWith('.Arn') ? 121 : (lengths[name.slice(5)] ?? ofOthers(name));
    const longest = (value: unknown) =>
      render(value).replace(/\$\{(.*?)\}/g, (_all, name: string) => 'x'.repeat(lengthOf(name)));
    const isReference = (value: object) => /^(Ref|Fn::\w+)$/.test(Object.keys(value)[0] ?? '');
    const text = JSON.stringify(PolicyDocument, (_key, value) =>
      typeof value === 'object' && value && isReference(value) ? longest(value) : value,
    );
    expect(text.length).toBeLessThan(6_144);
  }
});

it.each([
  ['support', 'OperatorsSupport', [relayOutbox]],
  [
    'administrators',
    'OperatorsAdministrator',
    [relayOutbox, rotateSigningKey, rotateResourceKey, refillAudit],
  ],
])('%s may invoke only the functions of their commands', (_, policy, invoked) => {
  const { Properties } = stack
    .of('AWS::IAM::ManagedPolicy')
    .find(({ id }) => id.startsWith(policy)) as Resource;
  const { Statement } = Properties['PolicyDocument'] as { Statement: Parameters<typeof permissions>[0][] };
  const invocations = Statement.flatMap(permissions).filter((one) => one.startsWith('lambda:'));
  const functionsOf = invoked.map(({ id }) => `lambda:InvokeFunction on \${${functionOf(stack, id).id}.Arn}`);
  expect(invocations.toSorted()).toEqual(functionsOf.toSorted());
});

it('only the permission to write its own log streams has a wildcard', () => {
  const actionsAndResources = allGrants(stack).map((grant) => grant.replace(/ (with|only) .*/, ''));
  const isOwnLog = (grant: string) => /^logs:PutLogEvents on .*:log-stream:\*\/[\w-]+\[\*$/.test(grant);
  expect(actionsAndResources.filter((grant) => grant.includes('*') && !isOwnLog(grant))).toEqual([]);
});

it('names of functions are short enough for Lambda with the longest name of an instance', () => {
  const names = functions.map(({ id }) => functionNameOf('x'.repeat(38), id));
  expect(names.filter(({ length }) => length > 64)).toEqual([]);
});

it('only jobs that are not repeated may leave failures in the queue, and do only that with it', () => {
  const kept = jobs
    .filter(({ trigger }) => trigger !== 'secret-rotation' && trigger !== 'command')
    .map(({ id }) => id);
  expect(rolesThat(/^sqs:SendMessage /)).toEqual(kept);
  expect(rolesThat(/^sqs:(?!SendMessage )/)).toEqual([]);
});

it('only logins, the token endpoint, a new password and the rotation may read the signing key, and only the rotation may change it', () => {
  const reading = new RegExp(`^secretsmanager:GetSecretValue on .*${secret}`);
  expect(rolesThat(reading)).toEqual([
    login.id,
    assertion.id,
    password.id,
    'oauth.token',
    rotateSigningKey.id,
  ]);
  expect(rolesThat(new RegExp(`^secretsmanager:(?!GetSecretValue ).*${secret}`))).toEqual([
    rotateSigningKey.id,
  ]);
});

it('only the token endpoint and the rotation may read the keys for other services, and only the rotation may change them', () => {
  const endpoint = ['oauth.token', rotateResourceKey.id];
  expect(rolesThat(new RegExp(`^secretsmanager:GetSecretValue on .*${resourceKey}`))).toEqual(endpoint);
  expect(rolesThat(new RegExp(`^secretsmanager:(?!GetSecretValue ).*${resourceKey}`))).toEqual([
    rotateResourceKey.id,
  ]);
});

it.each([
  [rotateSigningKey.id, secret, 'KEYS'],
  [rotateResourceKey.id, resourceKey, 'RESOURCE_KEYS'],
])('%s may change its own secret and its own public keys only', (id, own, partition) => {
  const rotation = grantsOf(roleOf(stack, functionOf(stack, id)) as Resource);
  const changes = ['DescribeSecret', 'GetSecretValue', 'PutSecretValue', 'UpdateSecretVersionStage'];
  expect(rotation.filter((one) => one.startsWith('secretsmanager:'))).toEqual(
    changes.map((action) => `secretsmanager:${action} on \${${own}}`),
  );
  const items = rotation.filter((one) => /^dynamodb:(Update|Put|Delete)Item /.test(one));
  expect(items.length).toBeGreaterThan(1);
  for (const one of items) expect(one).toMatch(new RegExp(` only ${partition}( |$)`));
});

it('the local instance enforces the deployed policies', async () => {
  const printer = join(import.meta.dirname, '../../infra/aws/policies.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [printer]);
  const printed = JSON.parse(stdout) as Record<string, Statement[]>;
  expect(Object.keys(printed).sort()).toEqual(functions.map(({ id }) => id).sort());
  const names = { [erasureKey]: ERASURE_KEY, [resourceKey]: RESOURCE_KEY };
  const types = new Map(stack.all.map(({ id, Type }) => [id, names[id] ?? Type]));
  const typed = (text: string) => text.replace(/\$\{(\w+)(\.Arn)?\}/, (_, id) => `\${${types.get(id)}}`);
  for (const { id } of functions) {
    const deployed = grantsOf(roleOf(stack, functionOf(stack, id)) as Resource).map(typed);
    expect((printed[id] as Statement[]).flatMap(permissions).sort()).toEqual(deployed.sort());
  }
});

it('the template contains no secret and no reference to one', () => {
  expect(/\{\{resolve:|"SecretString"|"NoEcho"/.exec(stack.text)).toBeNull();
});

describe.each(functions)('$id', (definition) => {
  const fn = functionOf(stack, definition.id);

  const granted = grantsOf(roleOf(stack, fn) as Resource);
  const needs: string[] = [...needsOf(definition)];
  const met = granted.flatMap(needsMetBy).filter((need) => !need.startsWith('secret:'));
  const usesSecret = (id: string) =>
    granted.some((permission) => permission.startsWith('secretsmanager:') && permission.includes(id));

  it('may do what its contract needs and nothing else', () => {
    expect(met.sort()).toEqual([...new Set(ownGrants(needs))].sort());
    expect(usesSecret(secret)).toBe(needs.some((need) => need.startsWith('signing-key:')));
    expect(usesSecret(resourceKey)).toBe(needs.some((need) => need.startsWith('resource-key:')));
  });

  it('may write its own streams of the shared log, and the audit log when it needs that', () => {
    const log = logGroupOf(stack, definition.id);
    const streams = `arn:\${AWS::Partition}:logs:\${AWS::Region}:\${AWS::AccountId}:log-group`;
    const name = functionNameOf('core-account', definition.id);
    expect(fn.Properties['FunctionName']).toBe(name);
    const own = [
      `logs:CreateLogStream on ${log.replace('}', '.Arn}')}`,
      `logs:PutLogEvents on ${streams}:${log}:log-stream:*/${name}[*`,
    ];
    const audit = [
      `logs:CreateLogStream on \${${auditLog}.Arn}`,
      `logs:PutLogEvents on ${streams}:\${${auditLog}}:log-stream:functions/verified`,
    ];
    const reads = [
      ...(needs.includes('audit:read') ? [`logs:FilterLogEvents on \${${auditLog}.Arn}`] : []),
      ...(needs.includes('function-log:read')
        ? [`logs:FilterLogEvents on ${log.replace('}', '.Arn}')}`]
        : []),
    ];
    const expected = [...own, ...(needs.includes('audit:write') ? audit : []), ...reads];
    expect(granted.filter((permission) => permission.startsWith('logs:'))).toEqual(expected.sort());
  });

  it('has a policy within the 10,240 characters of IAM, with ARNs of 110 characters', () => {
    const policy = JSON.stringify((roleOf(stack, fn) as Resource).Properties['Policies']);
    const arns = policy.replace(/\{"(Ref|Fn::GetAtt)":("\w+"|\["\w+","Arn"\])\}/g, 'x'.repeat(110));
    expect(arns.length).toBeLessThan(10_240);
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
      ...bound(/^resource-key:/, ENVIRONMENT.resourceKey, `\${${resourceKey}}`),
      ...bound(/^erasure-key:/, ENVIRONMENT.erasureKey, `\${${erasureKey}}`),
      ...bound(/^audit:/, ENVIRONMENT.auditLog, `\${${auditLog}}`),
      ...bound(/^function-log:/, ENVIRONMENT.functionLog, logGroupOf(stack, definition.id)),
      ...(definition.id === 'account.erase' && {
        [ENVIRONMENT.retentions]: '{"logs":30,"archive":90,"backups":0,"deadLetters":14}',
      }),
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
