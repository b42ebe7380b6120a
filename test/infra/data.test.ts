import { expect, it } from 'vitest';
import { rotateSigningKey } from '#lib/session/jobs';
import { TABLE } from '#lib/table/shape';
import { roleOf } from './grants.ts';
import { functionOf, invokersOf, type Resource, synthesize } from './synth.ts';

const stack = synthesize();
const table = stack.one('AWS::DynamoDB::GlobalTable');
const secret = stack.one('AWS::SecretsManager::Secret');
const schedule = stack.one('AWS::SecretsManager::RotationSchedule');

const keySchema = (partitionKey: string, sortKey: string) => [
  { AttributeName: partitionKey, KeyType: 'HASH' },
  { AttributeName: sortKey, KeyType: 'RANGE' },
];

/** All that CloudFormation makes before a resource. */
function before(resource: Resource, found = new Set<string>()): ReadonlySet<string> {
  const text = JSON.stringify([resource.Properties, (resource.DependsOn ?? []).map((id) => ({ Ref: id }))]);
  for (const [, id] of text.matchAll(/"(?:Ref|Fn::GetAtt)":\[?"(\w+)"/g)) {
    const next = stack.all.find((one) => one.id === id);
    if (!next || found.has(next.id)) continue;
    found.add(next.id);
    before(next, found);
  }
  return found;
}

it('the table outlives the stack and can be restored to any second of the last 35 days', () => {
  expect(table).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
  expect(table.Properties['Replicas']).toMatchObject([
    {
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    },
  ]);
});

it('the table has the shape that the runtime relies on', () => {
  expect(table.Properties).toMatchObject({
    KeySchema: keySchema(TABLE.partitionKey, TABLE.sortKey),
    TimeToLiveSpecification: { AttributeName: TABLE.timeToLive, Enabled: true },
    GlobalSecondaryIndexes: TABLE.indexes.map(({ name, partitionKey, sortKey }) => ({
      IndexName: name,
      KeySchema: keySchema(partitionKey, sortKey),
      Projection: { ProjectionType: 'ALL' },
    })),
  });
});

it('the table costs nothing while nobody calls', () => {
  expect(table.Properties).toMatchObject({ BillingMode: 'PAY_PER_REQUEST' });
});

it('the signing key starts as a random placeholder that nothing takes for a key', () => {
  expect(secret.Properties).toMatchObject({ GenerateSecretString: { ExcludePunctuation: true } });
  expect(secret.Properties).not.toHaveProperty('SecretString');
});

it('the signing key rotates when it is deployed, and every 90 days', () => {
  expect(schedule.Properties).toMatchObject({
    SecretId: { Ref: secret.id },
    RotationLambdaARN: { 'Fn::GetAtt': [functionOf(stack, rotateSigningKey.id).id, 'Arn'] },
    RotationRules: { ScheduleExpression: 'rate(90 days)' },
    RotateImmediatelyOnUpdate: true,
  });
});

it('the first rotation waits until its function may be invoked and has its table and its grants', () => {
  const rotation = functionOf(stack, rotateSigningKey.id);
  const role = roleOf(stack, rotation) as Resource;
  const needed = stack.all.filter(
    ({ id, Type, Properties }) =>
      [rotation.id, role.id, table.id].includes(id) ||
      (Type === 'AWS::IAM::Policy' && JSON.stringify(Properties['Roles']).includes(role.id)) ||
      (Type === 'AWS::Lambda::Permission' &&
        JSON.stringify(Properties['FunctionName']).includes(rotation.id)),
  );
  expect(needed).toHaveLength(5);
  expect([...before(schedule)]).toEqual(expect.arrayContaining(needed.map(({ id }) => id)));
});

it('Secrets Manager may invoke the rotation for this secret of this account only', () => {
  const rotation = functionOf(stack, rotateSigningKey.id);
  expect(invokersOf(stack, rotation)).toEqual([`secretsmanager.amazonaws.com for \${${secret.id}}`]);
  const permission = stack
    .of('AWS::Lambda::Permission')
    .find(({ Properties }) => Properties['Principal'] === 'secretsmanager.amazonaws.com');
  expect(permission?.Properties['SourceAccount']).toEqual({ Ref: 'AWS::AccountId' });
});
