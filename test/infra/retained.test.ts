import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ENVIRONMENT } from '#lib/instance/environment';
import { functions, needsOf } from '#lib/routes';
import { grantsOf, roleOf } from './grants.ts';
import {
  ERASURE_KEY,
  EVERY_OPTION,
  functionOf,
  OTHER_OPTIONS,
  RESOURCE_KEY,
  type Resource,
  type Synthesized,
  synthesize,
} from './synth.ts';

const TABLE = 'AWS::DynamoDB::GlobalTable';
const EVENT_BUS = 'AWS::Events::EventBus';

/**
 * The logical IDs as they are deployed: change none. CloudFormation identifies a resource by its logical ID, which
 * follows from the path of its construct. Under another ID it creates an empty resource and deletes or abandons the first.
 */
const LOGICAL_IDS = {
  [TABLE]: 'DataTableFDBAD0F2',
  'AWS::SecretsManager::Secret': 'DataSigningKeySecretA111E250',
  [ERASURE_KEY]: 'DataErasureKeySecret5DE8FABF',
  [RESOURCE_KEY]: 'DataResourceKeySecret77CCE450',
  [EVENT_BUS]: 'EventsBus45DE4339',
  'AWS::Events::Archive': 'EventsBusArchive3AC72948',
};

/** The same of the audit log, which is one of several log groups. */
const AUDIT_LOG = 'AuditLog37476C05';

const stack = synthesize();
const every = synthesize(EVERY_OPTION);

/** The permissions of a function by their service. */
const grants = (of: Synthesized, id: string, service: string) =>
  grantsOf(roleOf(of, functionOf(of, id)) as Resource).filter((grant) => grant.startsWith(`${service}:`));

describe.each([
  ['without options', 'core-account', stack],
  ['with every option', 'core-account-prod', every],
])('%s', (_, Name, { one, of }) => {
  it('retained resources keep their logical IDs, and the properties whose change replaces them', () => {
    for (const [type, id] of Object.entries(LOGICAL_IDS)) expect(one(type).id).toBe(id);
    const [table, secret, erasureKey, resourceKey, bus, archive] = Object.keys(LOGICAL_IDS).map(
      (type) => one(type).Properties,
    );
    for (const key of [erasureKey, resourceKey]) expect(key).not.toHaveProperty('Name');
    const attribute = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' });
    expect(table).toMatchObject({
      KeySchema: [
        { AttributeName: 'PK', KeyType: 'HASH' },
        { AttributeName: 'SK', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: expect.arrayContaining([attribute('PK'), attribute('SK')]),
    });
    expect(bus).toMatchObject({ Name });
    const { [EVENT_BUS]: busId } = LOGICAL_IDS;
    expect(archive).toMatchObject({ SourceArn: { 'Fn::GetAtt': [busId, 'Arn'] } });
    for (const [name, properties] of Object.entries({ TableName: table, Name: secret, ArchiveName: archive }))
      expect(properties).not.toHaveProperty(name);
  });

  it('the table, the erasure key and the audit log outlive the stack', () => {
    const kept = { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' };
    expect(one(TABLE)).toMatchObject(kept);
    // One that a failed first deployment created is deleted.
    const keptOnceDeployed = { DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' };
    expect(one(ERASURE_KEY)).toMatchObject(keptOnceDeployed);
    const log = of('AWS::Logs::LogGroup').find(({ id }) => id === AUDIT_LOG);
    expect(log).toMatchObject(kept);
    expect(log?.Properties).not.toHaveProperty('LogGroupName');
  });
});

it('the stack policy on the page of operations covers each retained resource', () => {
  const page = readFileSync('infra/aws/operations.md', 'utf8').replace(/\s+/g, ' ');
  const [, policy = ''] = /--stack-policy-body '([^']+)'/.exec(page) ?? [];
  const { Statement } = JSON.parse(policy) as { Statement: { Effect: string; Resource: string[] }[] };
  const denied = Statement.filter(({ Effect }) => Effect === 'Deny').flatMap(({ Resource }) => Resource);
  const vault = every.one('AWS::Backup::BackupVault').id;
  for (const id of [...Object.values(LOGICAL_IDS), AUDIT_LOG, vault])
    expect(denied.filter((one) => `LogicalResourceId/${id}`.startsWith(one.replace('*', '')))).not.toEqual(
      [],
    );
});

const adopting = synthesize(OTHER_OPTIONS);
// biome-ignore lint/suspicious/noTemplateCurlyInString: references of a template
const arn = 'arn:${AWS::Partition}:dynamodb:${AWS::Region}:${AWS::AccountId}:table/kept-table';
const own = `\${${LOGICAL_IDS[TABLE]}.Arn}`;
const onTable = (of: Synthesized, id: string, table: string) =>
  grants(of, id, 'dynamodb').map((grant) => grant.replace(table, '<table>'));

it('an adopted table is used instead of a new one', () => {
  expect(adopting.all.filter(({ Type }) => Type.startsWith('AWS::DynamoDB::'))).toEqual([]);
  expect(adopting.text).not.toContain(LOGICAL_IDS[TABLE]);
  expect(adopting.outputs['TableName']?.Value).toBe('kept-table');
});

it.each(functions)(
  'an adopted table is the table of all grants and of the environment of $id',
  (definition) => {
    const permissions = onTable(stack, definition.id, own);
    expect(permissions.every((grant) => grant.includes('<table>'))).toBe(true);
    expect(onTable(adopting, definition.id, arn)).toEqual(permissions);
    const { Variables } = functionOf(adopting, definition.id).Properties['Environment'] as {
      Variables: Record<string, unknown>;
    };
    const isNeeded = [...needsOf(definition)].some((need) => /^(table|index):/.test(need));
    expect(Variables[ENVIRONMENT.table]).toBe(isNeeded ? 'kept-table' : undefined);
  },
);

it.each(functions)('$id may use a KMS key through the services that it needs only', ({ id }) => {
  const services = ['dynamodb', 'secretsmanager', 'sqs'].filter(
    (service) => grants(every, id, service).length > 0,
  );
  const through = grants(every, id, 'kms');
  const writes = id.startsWith('keys.rotate-') || services.includes('sqs') ? ['GenerateDataKey'] : [];
  expect(through).toHaveLength(services.length + writes.length);
  for (const one of through)
    expect(one).toMatch(/^kms:(Decrypt|GenerateDataKey) on arn:aws:kms:.*kms:ViaService/);
  expect(through.filter((one) => !one.startsWith('kms:Decrypt '))).toHaveLength(writes.length);
  for (const service of services) expect(through.join()).toContain(`${service}.`);
});

it('operators may use a KMS key through services only', () => {
  const statements = every.of('AWS::IAM::ManagedPolicy').flatMap(({ Properties }) => {
    const { Statement } = Properties['PolicyDocument'] as { Statement: { Action: unknown }[] };
    return Statement.filter(({ Action }) => JSON.stringify(Action).includes('kms:'));
  });
  expect(statements.length).toBeGreaterThan(0);
  for (const one of statements) expect(JSON.stringify(one)).toContain('"kms:ViaService"');
});
