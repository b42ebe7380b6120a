import { describe, expect, it } from 'vitest';
import { ENVIRONMENT } from '#lib/environment';
import { functions, needsOf } from '#lib/routes';
import { grantsOf, roleOf } from './grants.ts';
import { EVERY_OPTION, functionOf, type Resource, type Synthesized, synthesize } from './synth.ts';

/**
 * CloudFormation knows a resource by its logical id, which follows from the path of its construct: under another it
 * makes an empty one, and deletes or abandons the first. These stand here as they are deployed. Change none.
 */
const LOGICAL_IDS = {
  'AWS::DynamoDB::GlobalTable': 'DataTableFDBAD0F2',
  'AWS::SecretsManager::Secret': 'DataSigningKeySecretA111E250',
  'AWS::Events::EventBus': 'EventsBus45DE4339',
  'AWS::Events::Archive': 'EventsBusArchive3AC72948',
};

const stack = synthesize();
const every = synthesize({ ...EVERY_OPTION, stackName: 'core-account' });
const configurations: [string, Synthesized][] = [
  ['without options', stack],
  ['with every option', every],
];

describe.each(configurations)('%s', (_, { one }) => {
  it.each(Object.entries(LOGICAL_IDS))('%s keeps its logical id', (type, id) => {
    expect(one(type).id).toBe(id);
  });

  it('nothing that replaces them changes: keys of the table, name of the bus, source of the archive', () => {
    const { Properties } = one('AWS::DynamoDB::GlobalTable');
    expect(Properties['KeySchema']).toEqual([
      { AttributeName: 'PK', KeyType: 'HASH' },
      { AttributeName: 'SK', KeyType: 'RANGE' },
    ]);
    expect(Properties['AttributeDefinitions']).toContainEqual({ AttributeName: 'PK', AttributeType: 'S' });
    expect(Properties['AttributeDefinitions']).toContainEqual({ AttributeName: 'SK', AttributeType: 'S' });
    expect(Properties).not.toHaveProperty('TableName');
    expect(one('AWS::SecretsManager::Secret').Properties).not.toHaveProperty('Name');
    expect(one('AWS::Events::EventBus').Properties['Name']).toBe('core-account');
    expect(one('AWS::Events::Archive').Properties).not.toHaveProperty('ArchiveName');
    expect(one('AWS::Events::Archive').Properties['SourceArn']).toEqual({
      'Fn::GetAtt': [LOGICAL_IDS['AWS::Events::EventBus'], 'Arn'],
    });
  });
});

describe('an adopted table', () => {
  const adopting = synthesize({ tableName: 'kept-table' });
  // biome-ignore lint/suspicious/noTemplateCurlyInString: references of a template
  const arn = 'arn:${AWS::Partition}:dynamodb:${AWS::Region}:${AWS::AccountId}:table/kept-table';
  /** The grants of a function, by its own table where it has one. */
  const grants = (of: Synthesized, id: string, table: string) =>
    grantsOf(of, roleOf(of, functionOf(of, id)) as Resource)
      .filter((grant) => grant.startsWith('dynamodb:'))
      .map((grant) => grant.replace(table, '<table>'));

  it('is used, and none is made', () => {
    expect(adopting.all.filter(({ Type }) => Type.startsWith('AWS::DynamoDB::'))).toEqual([]);
    expect(adopting.text).not.toContain(LOGICAL_IDS['AWS::DynamoDB::GlobalTable']);
    expect(adopting.outputs['TableName']?.Value).toBe('kept-table');
  });

  it.each(functions)('$id has its grants on it, indexes included, and its name', ({ id }) => {
    const own = grants(stack, id, `\${${LOGICAL_IDS['AWS::DynamoDB::GlobalTable']}.Arn}`);
    expect(grants(adopting, id, arn)).toEqual(own);
    expect(own.every((grant) => grant.includes('<table>'))).toBe(true);
    const needed = [...needsOf(functions.find((one) => one.id === id) as (typeof functions)[number])];
    const variables = functionOf(adopting, id).Properties['Environment'] as { Variables: object };
    if (needed.some((need) => /^(table|index):/.test(need)))
      expect(variables.Variables).toMatchObject({ [ENVIRONMENT.table]: 'kept-table' });
    else expect(variables.Variables).not.toHaveProperty(ENVIRONMENT.table);
  });
});

describe('a key of KMS', () => {
  const key = EVERY_OPTION.kmsKeyArn;

  it('encrypts the table and the signing key', () => {
    expect(every.one('AWS::DynamoDB::GlobalTable').Properties).toMatchObject({
      SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
      Replicas: [{ SSESpecification: { KMSMasterKeyId: key } }],
    });
    expect(every.one('AWS::SecretsManager::Secret').Properties).toMatchObject({ KmsKeyId: key });
  });

  it.each(functions)('$id may use it through the services that it needs only', (definition) => {
    const permissions = grantsOf(every, roleOf(every, functionOf(every, definition.id)) as Resource);
    const services = ['dynamodb', 'secretsmanager'].filter((service) =>
      permissions.some((one) => one.startsWith(`${service}:`)),
    );
    const through = permissions.filter((one) => one.startsWith('kms:'));
    expect(through).toHaveLength(services.length * 6);
    for (const one of through) {
      expect(one).toMatch(/^kms:\w+ on arn:aws:kms:/);
      expect(one).toContain('kms:ViaService');
    }
    for (const service of services) expect(through.join()).toContain(`${service}.`);
  });
});
