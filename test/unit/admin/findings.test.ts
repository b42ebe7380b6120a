import type { GlobalSecondaryIndexDescription, TableDescription } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { type Finding, tableFindings } from '#infra/admin/restore/findings';
import type { TableState } from '#infra/admin/restore/table-state';

const keySchema = (hash: string, range: string): TableDescription['KeySchema'] => [
  { AttributeName: hash, KeyType: 'HASH' },
  { AttributeName: range, KeyType: 'RANGE' },
];

const index = (name: string, other: GlobalSecondaryIndexDescription = {}) => ({
  IndexName: name,
  IndexStatus: 'ACTIVE' as const,
  KeySchema: keySchema(`${name}PK`, `${name}SK`),
  Projection: { ProjectionType: 'ALL' as const },
  ...other,
});

const NAMES = ['PK', 'SK', 'GSI1PK', 'GSI1SK', 'GSI2PK', 'GSI2SK'];

/** What DynamoDB says of the table that a stack makes, changed in parts. */
const stateOf = ({ table = {}, ...other }: Partial<TableState> & { table?: TableDescription } = {}) => ({
  description: {
    TableStatus: 'ACTIVE' as const,
    AttributeDefinitions: NAMES.map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const })),
    KeySchema: keySchema('PK', 'SK'),
    BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' as const },
    GlobalSecondaryIndexes: [index('GSI1'), index('GSI2')],
    DeletionProtectionEnabled: true,
    ...table,
  },
  timeToLive: { TimeToLiveStatus: 'ENABLED' as const, AttributeName: 'ttl' },
  backups: {
    ContinuousBackupsStatus: 'ENABLED' as const,
    PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: 'ENABLED' as const },
  },
  ...other,
});

const notOk = (state: TableState) =>
  tableFindings(state)
    .filter(({ state }) => state !== 'ok')
    .map(({ check, state }) => [check, state]);

test('a table of the stack lacks nothing', () => {
  expect(tableFindings(stateOf()).map(({ check, state }) => [check, state])).toEqual([
    ['status', 'ok'],
    ['key_schema', 'ok'],
    ['billing_mode', 'ok'],
    ['index_GSI1', 'ok'],
    ['index_GSI2', 'ok'],
    ['time_to_live', 'ok'],
    ['point_in_time_recovery', 'ok'],
    ['deletion_protection', 'ok'],
  ]);
});

test('a restored table lacks everything that AWS documents as lost', () => {
  const restored = stateOf({
    table: { DeletionProtectionEnabled: false },
    timeToLive: { TimeToLiveStatus: 'DISABLED' },
    backups: {
      ContinuousBackupsStatus: 'ENABLED',
      PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: 'DISABLED' },
    },
  });
  expect(notOk(restored)).toEqual([
    ['time_to_live', 'missing'],
    ['point_in_time_recovery', 'missing'],
    ['deletion_protection', 'missing'],
  ]);
});

describe('of a table it is told', () => {
  const indexes = (...them: ReturnType<typeof index>[]) =>
    stateOf({ table: { GlobalSecondaryIndexes: them } });
  test.each<[string, TableState, Finding['check'], Finding['state']]>([
    ['that it is not restored yet', stateOf({ table: { TableStatus: 'CREATING' } }), 'status', 'wrong'],
    [
      'that it has other keys',
      stateOf({ table: { KeySchema: keySchema('id', 'SK') } }),
      'key_schema',
      'wrong',
    ],
    [
      'that its keys are numbers',
      stateOf({
        table: {
          AttributeDefinitions: NAMES.map((AttributeName) => ({
            AttributeName,
            AttributeType: AttributeName === 'SK' ? 'N' : 'S',
          })),
        },
      }),
      'key_schema',
      'wrong',
    ],
    ['that it has no index', indexes(index('GSI2')), 'index_GSI1', 'missing'],
    [
      'that an index has other keys',
      indexes(index('GSI1', { KeySchema: keySchema('GSI2PK', 'GSI2SK') }), index('GSI2')),
      'index_GSI1',
      'wrong',
    ],
    [
      'that an index lacks attributes',
      indexes(index('GSI1'), index('GSI2', { Projection: { ProjectionType: 'KEYS_ONLY' } })),
      'index_GSI2',
      'wrong',
    ],
    [
      'that an index is being built',
      indexes(index('GSI1'), index('GSI2', { IndexStatus: 'CREATING' })),
      'index_GSI2',
      'wrong',
    ],
    [
      'that it expires by another attribute',
      stateOf({ timeToLive: { TimeToLiveStatus: 'ENABLED', AttributeName: 'expires' } }),
      'time_to_live',
      'wrong',
    ],
    [
      'that expiry is being turned off',
      stateOf({ timeToLive: { TimeToLiveStatus: 'DISABLING', AttributeName: 'ttl' } }),
      'time_to_live',
      'wrong',
    ],
    ['what is not known of expiry', stateOf({ timeToLive: undefined }), 'time_to_live', 'unknown'],
    ['what is not known of recovery', stateOf({ backups: undefined }), 'point_in_time_recovery', 'unknown'],
    [
      'what is not known of protection',
      stateOf({ table: { DeletionProtectionEnabled: undefined } as never }),
      'deletion_protection',
      'unknown',
    ],
    [
      'that it is provisioned',
      stateOf({ table: { BillingModeSummary: { BillingMode: 'PROVISIONED' } } }),
      'billing_mode',
      'missing',
    ],
    [
      'that it always was provisioned',
      stateOf({
        table: { BillingModeSummary: undefined, ProvisionedThroughput: { ReadCapacityUnits: 5 } } as never,
      }),
      'billing_mode',
      'missing',
    ],
    [
      'what is not known of billing',
      stateOf({ table: { BillingModeSummary: undefined } as never }),
      'billing_mode',
      'unknown',
    ],
  ])('%s', (_what, state, check, expected) => {
    expect(notOk(state)).toEqual([[check, expected]]);
  });

  test.each([
    [
      'expiry that is being turned on',
      stateOf({ timeToLive: { TimeToLiveStatus: 'ENABLING', AttributeName: 'ttl' } }),
    ],
    ['a table that is being updated', stateOf({ table: { TableStatus: 'UPDATING' } })],
    ['an index that is being updated', indexes(index('GSI1'), index('GSI2', { IndexStatus: 'UPDATING' }))],
  ])('nothing: %s', (_what, state) => {
    expect(notOk(state)).toEqual([]);
  });
});
