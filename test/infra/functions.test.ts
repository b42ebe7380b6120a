import { describe, expect, it } from 'vitest';
import { login } from '#lib/account/contracts';
import { rotate } from '#lib/auth/contracts';
import { APP_ID, ENVIRONMENT } from '#lib/environment';
import type { Need } from '#lib/needs';
import { functions, needsOf } from '#lib/routes';
import { settingVariable } from '#lib/settings';
import { allGrants, grantsOf, roleOf } from './grants.ts';
import { functionOf, type Resource, render, synthesize } from './synth.ts';

const stack = synthesize();
const table = stack.one('AWS::DynamoDB::GlobalTable').id;
const bus = stack.one('AWS::Events::EventBus').id;
const secret = stack.one('AWS::SecretsManager::Secret').id;

const SECRET_ACTIONS: Readonly<Record<string, readonly string[]>> = {
  'signing-key:read': ['GetSecretValue'],
  'signing-key:rotate': ['DescribeSecret', 'GetSecretValue', 'PutSecretValue', 'UpdateSecretVersionStage'],
};

const LEADING_KEYS = /^(ACCOUNT|TOKEN|TRIES)$/;

/** Of the table each action once: to read, for the kinds that it reads so; to write, for all that is written. */
function permissionsFor(needs: readonly Need[]): string[] {
  const kinds = new Map<string, Set<string>>();
  const written = new Set<string>();
  const others = needs.flatMap((need) => {
    const [kind, name = '', partition = ''] = need.split(':');
    if (kind === 'index') return [`dynamodb:Query on \${${table}.Arn}/index/${name}`];
    if (kind === 'events') return [`events:${name} on \${${bus}.Arn}`];
    if (kind !== 'table')
      return (SECRET_ACTIONS[need] ?? []).map((action) => `secretsmanager:${action} on \${${secret}}`);
    const writes = /^(Put|Update|Delete|ConditionCheck)Item$/.test(name);
    const only = writes ? written : (kinds.get(name) ?? new Set());
    kinds.set(name, only.add(LEADING_KEYS.test(partition) ? `${partition}#*` : partition));
    return [];
  });
  const onTable = [...kinds].map(
    ([name, only]) => `dynamodb:${name} on \${${table}.Arn} only ${[...only].join(' ')}`,
  );
  return [...onTable, ...others];
}

const logGroupOf = ({ Properties }: Resource) =>
  render((Properties['LoggingConfig'] as { LogGroup: unknown }).LogGroup).slice(2, -1);

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

it('the stack has a function for every definition and no other', () => {
  const found = functions.map(({ id }) => functionOf(stack, id).id);
  expect(idsOf('AWS::Lambda::Function')).toEqual(found.sort());
});

it('every function has a role of its own, and no role is left over', () => {
  const roles = functions.map(({ id }) => roleOf(stack, functionOf(stack, id))?.id);
  expect(new Set(roles).size).toBe(functions.length);
  expect(idsOf('AWS::IAM::Role')).toEqual(roles.sort());
});

it('Lambda alone may assume a role, which has no policy but its own', () => {
  for (const { Properties } of stack.of('AWS::IAM::Role')) {
    expect(Object.keys(Properties)).toEqual(['AssumeRolePolicyDocument']);
    expect(Properties['AssumeRolePolicyDocument']).toMatchObject({
      Statement: [
        { Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' } },
      ],
    });
  }
  for (const { Properties } of stack.of('AWS::IAM::Policy')) expect(Properties['Roles']).toHaveLength(1);
});

it('no permission has a wildcard in its action or its resource', () => {
  const actionsAndResources = allGrants(stack).map((grant) => grant.replace(/ only .*/, ''));
  expect(actionsAndResources.filter((grant) => grant.includes('*'))).toEqual([]);
});

it('every permission on the table is confined to kinds of items, and keys are written by the rotation only', () => {
  const onTable = allGrants(stack).filter(
    (grant) => / on \$\{\w+\.Arn\}( |$)/.test(grant) && grant.startsWith('dynamodb:'),
  );
  expect(onTable.filter((grant) => !grant.includes(' only '))).toEqual([]);
  expect(rolesThat(/^dynamodb:(Put|Update|Delete)Item .* only .*\bKEYS\b/)).toEqual([rotate.id]);
});

it('only login and the rotation may read the signing key, and only the rotation may change it', () => {
  expect(rolesThat(/^secretsmanager:GetSecretValue /)).toEqual([login.id, rotate.id]);
  expect(rolesThat(/^secretsmanager:(?!GetSecretValue )/)).toEqual([rotate.id]);
});

it('no function has a log group of another', () => {
  const groups = functions.map(({ id }) => logGroupOf(functionOf(stack, id)));
  expect(new Set(groups).size).toBe(functions.length);
});

it('logs are kept for a limited time', () => {
  for (const { Properties } of stack.of('AWS::Logs::LogGroup'))
    expect(Properties).toMatchObject({ RetentionInDays: 30 });
});

it('the template holds no secret and resolves none', () => {
  expect(/\{\{resolve:|"SecretString"|"NoEcho"/.exec(stack.text)).toBeNull();
});

describe.each(functions)('$id', (definition) => {
  const fn = functionOf(stack, definition.id);

  it('may do what its contract needs and write its own log, and nothing else', () => {
    const logs = ['CreateLogStream', 'PutLogEvents'].map(
      (name) => `logs:${name} on \${${logGroupOf(fn)}.Arn}`,
    );
    const expected = permissionsFor([...needsOf(definition)]);
    expect(grantsOf(stack, roleOf(stack, fn) as Resource)).toEqual(
      [...new Set([...expected, ...logs])].sort(),
    );
  });

  it('is led to what it needs, by names and addresses only', () => {
    const needs = [...needsOf(definition)];
    const bound = (pattern: RegExp, variable: string, value: string) =>
      needs.some((need) => pattern.test(need)) ? { [variable]: value } : {};
    const variables = Object.entries(variablesOf(fn)).map(([name, value]) => [name, render(value)]);
    expect(Object.fromEntries(variables)).toEqual({
      [ENVIRONMENT.instance]: 'core-account',
      [APP_ID]: definition.id,
      [settingVariable('ApiUrl')]: `\${${stack.one('AWS::ApiGatewayV2::Api').id}.ApiEndpoint}`,
      ...bound(/^(table|index):/, ENVIRONMENT.table, `\${${table}}`),
      ...bound(/^events:/, ENVIRONMENT.eventBus, `\${${bus}}`),
      ...bound(/^signing-key:/, ENVIRONMENT.signingKey, `\${${secret}}`),
    });
  });

  it('runs its bundle on Node 24 with the memory of its contract, and ends in time', () => {
    expect(fn.Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      MemorySize: ('memory' in definition ? definition.memory : undefined) ?? 512,
      Timeout: 'trigger' in definition ? 60 : 15,
    });
    expect(fn.Properties).not.toHaveProperty('ReservedConcurrentExecutions');
  });
});
