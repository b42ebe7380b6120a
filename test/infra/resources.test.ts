import { expect, it } from 'vitest';
import { MOST_ENDPOINTS } from '#infra/stages/limits';
import { indexOf, keySchema } from '#infra/table/checks';
import { collectAudit, refillAudit } from '#lib/audit/jobs';
import { VERIFIED } from '#lib/audit/streams';
import { type Contract, GATEWAY_THROTTLE } from '#lib/contract/contract';
import { EVENT_TYPES } from '#lib/instance/settings';
import { rotateResourceKey } from '#lib/resource/jobs';
import { contracts, functions, jobs, reservedOf, routesOf, timeoutOf } from '#lib/routes';
import { rotateSigningKey } from '#lib/session/jobs';
import { TABLE } from '#lib/table/shape';
import { allGrants, grantsOf, roleOf } from './grants.ts';
import {
  ERASURE_KEY,
  EVERY_OPTION,
  functionOf,
  invokersOf,
  logGroupOf,
  OTHER_OPTIONS,
  PROD,
  queueOf,
  RESOURCE_KEY,
  RESOURCE_ROTATION,
  type Resource,
  render,
  type Synthesized,
  synthesize,
  synthesizeAnew,
} from './synth.ts';

const stack = synthesize();
const every = synthesize(EVERY_OPTION);
const other = synthesize(OTHER_OPTIONS);
const prod = synthesize(PROD);

const arnOf = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });
const rotation = functionOf(stack, rotateSigningKey.id);
const secret = stack.one('AWS::SecretsManager::Secret');
const resourceRotation = functionOf(stack, rotateResourceKey.id);
const resourceSecret = stack.one(RESOURCE_KEY);
const bus = stack.one('AWS::Events::EventBus');
const auditLog = stack.of('AWS::Logs::LogGroup').find(({ id }) => id.startsWith('AuditLog')) as Resource;

const restorable = { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } };
const shape = {
  KeySchema: keySchema(TABLE),
  TimeToLiveSpecification: { AttributeName: TABLE.timeToLive, Enabled: true },
  GlobalSecondaryIndexes: TABLE.indexes.map(indexOf),
};
const placeholder = { GenerateSecretString: { ExcludePunctuation: true }, SecretString: undefined };
const schedule = {
  SecretId: { Ref: secret.id },
  RotationLambdaARN: arnOf(rotation.id),
  RotationRules: { ScheduleExpression: 'rate(90 days)' },
  RotateImmediatelyOnUpdate: true,
};
const resourceSchedule = {
  ...schedule,
  SecretId: { Ref: resourceSecret.id },
  RotationLambdaARN: arnOf(resourceRotation.id),
};
const archive = {
  SourceArn: arnOf(bus.id),
  EventPattern: { account: [{ Ref: 'AWS::AccountId' }] },
  RetentionDays: 90,
};
const { kmsKeyArn } = EVERY_OPTION;
const encrypted = {
  SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
  Replicas: [{ SSESpecification: { KMSMasterKeyId: kmsKeyArn } }],
};
const [DATA, SECRET, ARCHIVE] = ['DynamoDB::GlobalTable', 'SecretsManager::Secret', 'Events::Archive'];

/** A guarantee, the stack and the type of its resource, and the properties that ensure it. */
it.each<[guarantee: string, of: Synthesized, type: string | undefined, properties: object]>([
  ['the table is protected', stack, DATA, { Replicas: [{ DeletionProtectionEnabled: true, ...restorable }] }],
  ['the table has the shape that the runtime uses', stack, DATA, shape],
  ['an idle table costs nothing', stack, DATA, { BillingMode: 'PAY_PER_REQUEST' }],
  ['the signing key starts as a random placeholder', stack, SECRET, placeholder],
  ['the erasure key is random', stack, ERASURE_KEY, { GenerateSecretString: { PasswordLength: 64 } }],
  ['a KMS key encrypts the erasure key', every, ERASURE_KEY, { KmsKeyId: kmsKeyArn }],
  ['the signing key rotates at once and every 90 days', stack, 'SecretsManager::RotationSchedule', schedule],
  ['the keys for other services start as a random placeholder', stack, RESOURCE_KEY, placeholder],
  ['a KMS key encrypts the keys for other services', every, RESOURCE_KEY, { KmsKeyId: kmsKeyArn }],
  [
    'the keys for other services rotate at once and every 90 days',
    stack,
    RESOURCE_ROTATION,
    resourceSchedule,
  ],
  ['the bus has the name of the instance', stack, 'Events::EventBus', { Name: 'core-account' }],
  ['subscribers can replay events of 90 days', stack, ARCHIVE, archive],
  ['prod keeps events for a year', prod, ARCHIVE, { RetentionDays: 365 }],
  ['the stage deploys by itself', stack, 'ApiGatewayV2::Stage', { StageName: '$default', AutoDeploy: true }],
  ['other origins may not call by default', stack, 'ApiGatewayV2::Api', { CorsConfiguration: undefined }],
  ['a KMS key encrypts the table', every, DATA, encrypted],
  ['a KMS key encrypts the signing key', every, SECRET, { KmsKeyId: kmsKeyArn }],
  ['a KMS key encrypts the bus', every, 'Events::EventBus', { KmsKeyIdentifier: kmsKeyArn }],
  ['a KMS key encrypts the archive', every, ARCHIVE, { KmsKeyIdentifier: kmsKeyArn }],
  ['a KMS key encrypts backups', every, 'Backup::BackupVault', { EncryptionKeyArn: kmsKeyArn }],
])('%s', (_guarantee, { one }, type, properties) => {
  const absent = { SecretString: undefined, CorsConfiguration: undefined };
  const { Properties } = one(type?.includes('::') ? `AWS::${type}` : `${type}`);
  expect({ ...absent, ...Properties }).toMatchObject(properties);
});

it('a KMS key encrypts every log, queue and topic', () => {
  const keys = {
    'AWS::Logs::LogGroup': 'KmsKeyId',
    'AWS::SQS::Queue': 'KmsMasterKeyId',
    'AWS::SNS::Topic': 'KmsMasterKeyId',
  };
  for (const [type, name] of Object.entries(keys)) {
    expect(every.of(type).length).toBeGreaterThan(1);
    for (const { Properties } of every.of(type)) expect(Properties[name]).toBe(kmsKeyArn);
  }
});

it('the table is backed up each day, with a copy in another vault, and the vault outlives the stack', () => {
  // A deployment that fails leaves none, since the next one creates it again.
  const kept = { DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' };
  expect(every.one('AWS::Backup::BackupVault')).toMatchObject(kept);
  const lifecycle = { Lifecycle: { DeleteAfterDays: EVERY_OPTION.backupDays } };
  const copy = { DestinationBackupVaultArn: EVERY_OPTION.backupCopyVaultArn, ...lifecycle };
  const rule = { ScheduleExpression: 'cron(0 3 * * ? *)', ...lifecycle, CopyActions: [copy] };
  expect(every.one('AWS::Backup::BackupPlan').Properties).toMatchObject({
    BackupPlan: { BackupPlanRule: [rule] },
  });
  const { Resources } = every.one('AWS::Backup::BackupSelection').Properties['BackupSelection'] as {
    Resources: unknown[];
  };
  expect(render(Resources[0])).toContain(every.one('AWS::DynamoDB::GlobalTable').id);
  expect(stack.text).not.toContain('AWS::Backup');
});

it('a backup or a copy of the table that fails is a failed job', () => {
  const rules = every.of('AWS::Events::Rule').map(({ Properties }) => Properties);
  const queue = (kind: Parameters<typeof queueOf>[1]) => arnOf(queueOf(every, kind).id);
  const states = ['ABORTED', 'EXPIRED', 'FAILED'];
  const kinds = ['Backup Job State Change', 'Copy Job State Change'];
  const detail = { resourceArn: [arnOf(every.one('AWS::DynamoDB::GlobalTable').id)], state: states };
  expect(rules.find((rule) => 'EventPattern' in rule)).toMatchObject({
    EventPattern: { source: ['aws.backup'], 'detail-type': kinds, detail },
    Targets: [{ Arn: queue('failed jobs'), DeadLetterConfig: { Arn: queue('failed events') } }],
  });
  const allowed = '{"StringEquals":{"aws:SourceAccount":{"Ref":"AWS::AccountId"}}},"Effect":"Allow"';
  expect(JSON.stringify(every.of('AWS::SQS::QueuePolicy'))).toContain(allowed);
});

it('names of backups are those of the stack, its ID and its key, since AWS generates none', () => {
  const namesIn = ({ one }: Synthesized) => {
    const { BackupPlan } = one('AWS::Backup::BackupPlan').Properties as { BackupPlan: object };
    return JSON.stringify([BackupPlan, one('AWS::Backup::BackupVault').Properties['BackupVaultName']]);
  };
  const [first, second] = [every, other].map(namesIn);
  expect(first).toContain('"BackupPlanName":"core-account-prod"');
  expect(second).toContain(`"BackupPlanName":"${OTHER_OPTIONS.stackName}"`);
  // The longest name that AWS accepts has 50 characters; 8 are from the ID of the stack.
  const name = /"Fn::Join":\["-?",\["(x{32})-?",.*"Ref":"AWS::StackId".*"-?([0-9a-f]{8})"\]/;
  expect(second).toMatch(name);
  expect(first).not.toContain(name.exec(second as string)?.[2]);
});

/** The IDs of everything that CloudFormation creates before a resource. */
function requiredFor(resource: Resource, found = new Set<string>()): ReadonlySet<string> {
  const text = JSON.stringify([resource.Properties, (resource.DependsOn ?? []).map((id) => ({ Ref: id }))]);
  for (const [, id] of text.matchAll(/"(?:Ref|Fn::GetAtt)":\[?"(\w+)"/g)) {
    const next = stack.all.find((one) => one.id === id);
    if (!next || found.has(next.id)) continue;
    found.add(next.id);
    requiredFor(next, found);
  }
  return found;
}

it.each([
  ['sessions', rotation, 'AWS::SecretsManager::RotationSchedule'],
  ['other services', resourceRotation, RESOURCE_ROTATION],
])(
  'the first rotation for %s waits for its function, the role, the permission to invoke it, and the table',
  (_, rotation, type) => {
    const role = roleOf(stack, rotation) as Resource;
    const mentions = (value: unknown, id: string) => JSON.stringify(value ?? '').includes(id);
    const needed = stack.all.filter(
      ({ id, Type, Properties }) =>
        [rotation.id, role.id, stack.one('AWS::DynamoDB::GlobalTable').id].includes(id) ||
        (Type === 'AWS::Lambda::Permission' && mentions(Properties['FunctionName'], rotation.id)),
    );
    expect(needed).toHaveLength(4);
    const first = requiredFor(stack.one(type));
    expect([...first]).toEqual(expect.arrayContaining(needed.map(({ id }) => id)));
  },
);

it.each([
  ['sessions', rotation, secret],
  ['other services', resourceRotation, resourceSecret],
])(
  'the rotation for %s may be invoked by Secrets Manager for its secret of this account only',
  (_, rotation, secret) => {
    expect(invokersOf(stack, rotation)).toEqual([`secretsmanager.amazonaws.com for \${${secret.id}}`]);
    const permission = stack
      .of('AWS::Lambda::Permission')
      .find(
        ({ Properties }) =>
          Properties['Principal'] === 'secretsmanager.amazonaws.com' &&
          render(Properties['FunctionName']).includes(rotation.id),
      );
    expect(permission?.Properties['SourceAccount']).toEqual({ Ref: 'AWS::AccountId' });
  },
);

const collector = functionOf(stack, collectAudit.id);

it('the audit log is the only log that outlives the stack', () => {
  const kept = stack.of('AWS::Logs::LogGroup').filter(({ DeletionPolicy }) => DeletionPolicy === 'Retain');
  expect(kept).toEqual([auditLog]);
});

it('two functions may write the audit log, and one of them may read it, as the log of functions', () => {
  const grants = allGrants(stack).filter((grant) => grant.includes(`\${${auditLog.id}`));
  const group = `arn:\${AWS::Partition}:logs:\${AWS::Region}:\${AWS::AccountId}:log-group:\${${auditLog.id}}`;
  const writing = [
    `logs:CreateLogStream on \${${auditLog.id}.Arn}`,
    `logs:PutLogEvents on ${group}:log-stream:${VERIFIED}`,
  ];
  const reading = `logs:FilterLogEvents on \${${auditLog.id}.Arn}`;
  expect(grants.sort()).toEqual([...writing, ...writing, reading].sort());
  const role = roleOf(stack, functionOf(stack, refillAudit.id)) as Resource;
  const log = logGroupOf(stack, refillAudit.id).replace('}', '.Arn}');
  expect(grantsOf(role)).toEqual(
    expect.arrayContaining([...writing, reading, `logs:FilterLogEvents on ${log}`]),
  );
});

it('the audit log receives the lines of functions and has those of operators collected, by one of two subscriptions each', () => {
  const [log, audit] = [logGroupOf(stack, collectAudit.id), `\${${auditLog.id}}`];
  const filters = stack.of('AWS::Logs::SubscriptionFilter').map(({ Properties }) => ({
    [render(Properties['LogGroupName'])]: Properties['FilterPattern'],
    to: render(Properties['DestinationArn']),
  }));
  const to = `\${${collector.id}.Arn}`;
  expect(filters).toEqual([
    { [log]: '{ $.level = "audit" }', to },
    { [audit]: '{ $.action = "admin *" }', to },
  ]);
  expect(invokersOf(stack, collector)).toEqual(
    [log, audit].map((group) => `logs.amazonaws.com for ${group.replace('}', '.Arn}')}`),
  );
});

it.each([
  ['a month', stack, 30],
  ['a year in prod', prod, 365],
])('logs are kept for %s', (_, { of }, days) => {
  for (const { id, Properties } of of('AWS::Logs::LogGroup'))
    expect(Properties).toMatchObject({ RetentionInDays: id === auditLog.id ? 365 : days });
});

it.each([
  ['core-account', stack],
  [OTHER_OPTIONS.stackName, other],
])('logs of the gateway and the bus have the prefix of AWS in %s', (stackName, { of }) => {
  const names = of('AWS::Logs::LogGroup').flatMap(({ Properties }) => Properties['LogGroupName'] ?? []);
  expect(names).toEqual(['api', 'bus'].map((name) => `/aws/vendedlogs/${stackName}/${name}`));
});

const settings = stack.one('AWS::ApiGatewayV2::Stage').Properties;
const throttled = ({ rate, burst }: typeof GATEWAY_THROTTLE) => ({
  ThrottlingRateLimit: rate,
  ThrottlingBurstLimit: burst,
});

it('routes have the limits of their contracts, below that of the stage, and only two of them are behind authentication', () => {
  const routes = contracts.flatMap(routesOf);
  const limited = routes.flatMap(({ method, path, contract: { throttle } }) =>
    throttle ? [[`${method} ${path}`, throttled(throttle)] as const] : [],
  );
  expect(settings['RouteSettings']).toEqual(Object.fromEntries(limited));
  expect(settings['DefaultRouteSettings']).toEqual(throttled(GATEWAY_THROTTLE));
  const { rate, burst } = GATEWAY_THROTTLE;
  for (const { throttle } of contracts)
    expect(!throttle || (throttle.rate < rate && throttle.burst < burst)).toBe(true);
  const behind = routes.filter(
    ({ contract: { access, throttle } }) => throttle && !/^(public|.*-or-code)$/.test(`${access}`),
  );
  expect(
    behind.map(({ path }) => path),
    'strangers use up their limits',
  ).toEqual([
    ...['/api/core/account/export', '/api/core/account/export/{username}', '/api/core/system/preview'],
  ]);
});

it('the limits of execution environments exist in prod only, so that preview cannot take those of login', () => {
  const reservedIn = (of: Synthesized) =>
    functions.flatMap(({ id }) => {
      const number = functionOf(of, id).Properties['ReservedConcurrentExecutions'];
      return number === undefined ? [] : [`${id} ${number}`];
    });
  expect(reservedIn(prod)).toEqual(['account.login 100', 'system.preview 20']);
  expect(reservedIn(stack)).toEqual([]);
  for (const contract of contracts.filter((one) => reservedOf(one) !== undefined))
    expect(contract.throttle?.burst, `${contract.id} can use all of them`).toBe(reservedOf(contract));
});

it('the limits of time let each function end before the gateway stops waiting', () => {
  // The maximum of an HTTP API.
  const longest = 30_000;
  for (const contract of contracts) expect(timeoutOf(contract) * 1000).toBeLessThan(longest);
  for (const { Properties } of stack.of('AWS::ApiGatewayV2::Integration'))
    expect(Properties['TimeoutInMillis'] ?? longest).toBe(longest);
});

it('a stack with as many endpoints as its page says stays below the limits of AWS: 500 resources, a template of 1 MB', () => {
  // An endpoint has five: function, role, permission, integration and route. A further route is one more.
  const ofEndpoints = 4 * contracts.length + contracts.flatMap(routesOf).length;
  // An event has one: its schema.
  const others = EVENT_TYPES.length + ofEndpoints;
  expect(stack.all.length).toBeLessThanOrEqual(149 + others);
  expect(every.all.length).toBeLessThanOrEqual(160 + others);
  const usual = contracts.find((contract) => routesOf(contract).length === 1) as Contract;
  const added = Array.from({ length: MOST_ENDPOINTS - contracts.length }, (_, n): Contract => {
    return { ...usual, id: `made.up-${n}`, path: `/api/core/made-up-${n}` };
  });
  const larger = synthesizeAnew(EVERY_OPTION, [...contracts, ...added]);
  expect(larger.of('AWS::Lambda::Function')).toHaveLength(MOST_ENDPOINTS + jobs.length);
  expect(larger.all.length, 'a stack can hold more: raise MOST_ENDPOINTS').toBeGreaterThan(500 - 5);
  expect(larger.all.length).toBeLessThanOrEqual(500);
  expect(larger.text.length).toBeLessThan(1_000_000);
});
