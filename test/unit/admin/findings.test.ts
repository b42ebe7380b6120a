import type {
  GlobalSecondaryIndexDescription,
  TableDescription,
  TimeToLiveStatus,
} from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { attributesOf, keySchema as keysOf, tableFindings } from '#infra/table/checks';
import type { TableState } from '#infra/table/state';
import { TABLE } from '#lib/table/shape';

const keySchema = (partitionKey: string, sortKey: string) => keysOf({ partitionKey, sortKey });

const index = (name: string, other: GlobalSecondaryIndexDescription = {}) => ({
  IndexName: name,
  IndexStatus: 'ACTIVE' as const,
  KeySchema: keySchema(`${name}PK`, `${name}SK`),
  Projection: { ProjectionType: 'ALL' as const },
  ...other,
});

const NAMES = ['PK', 'SK', 'GSI1PK', 'GSI1SK', 'GSI2PK', 'GSI2SK'];

/** DynamoDB's description of the table of a stack, changed in parts. */
const stateOf = ({ table = {}, ...other }: Partial<TableState> & { table?: TableDescription } = {}) => ({
  description: {
    TableStatus: 'ACTIVE' as const,
    AttributeDefinitions: [TABLE, ...TABLE.indexes].flatMap(attributesOf),
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
    .map(({ check, state, found }) => `${check} ${state}: ${found}`);

test('a table of the stack lacks nothing', () => {
  expect(tableFindings(stateOf()).map(({ check, found }) => `${check}: ${found}`)).toEqual([
    'status: ACTIVE',
    'key_schema: PK, SK',
    'billing_mode: on demand',
    'index_GSI1: GSI1PK, GSI1SK, projects ALL',
    'index_GSI2: GSI2PK, GSI2SK, projects ALL',
    'time_to_live: on ttl',
    'point_in_time_recovery: on',
    'deletion_protection: on',
  ]);
  expect(notOk(stateOf())).toEqual([]);
});

const table = (table: object) => stateOf({ table: table as TableDescription });
const indexes = (...them: ReturnType<typeof index>[]) => table({ GlobalSecondaryIndexes: them });
const second = (other: GlobalSecondaryIndexDescription) => indexes(index('GSI1'), index('GSI2', other));
const ttl = (TimeToLiveStatus: TimeToLiveStatus | undefined, AttributeName = 'ttl') =>
  stateOf({ timeToLive: { TimeToLiveStatus, AttributeName } });
const typed = (type: 'N' | 'B', name: string) => {
  const others = NAMES.filter((each) => each !== name).map((AttributeName) => ({
    AttributeName,
    AttributeType: 'S',
  }));
  return table({ AttributeDefinitions: [...others, { AttributeName: name, AttributeType: type }] });
};
const GSI2 = 'expected the strings GSI2PK, GSI2SK and ALL';
const OTHER = 'expected the strings PK, SK: this is another table';

test.each<[TableState, ...string[]]>([
  [table({ TableStatus: 'CREATING' }), 'status wrong: CREATING: wait until the restore is done'],
  [table({ TableStatus: 'UPDATING' })],
  [table({ KeySchema: keySchema('id', 'SK') }), `key_schema wrong: id, SK; ${OTHER}`],
  [table({ KeySchema: keySchema('PK', 'id') }), `key_schema wrong: PK, id; ${OTHER}`],
  [table({ KeySchema: keySchema('PK', 'SK').slice(0, 1) }), `key_schema wrong: PK; ${OTHER}`],
  [typed('N', 'SK'), `key_schema wrong: PK, SK; ${OTHER}`],
  [typed('B', 'GSI2SK'), `index_GSI2 wrong: GSI2PK, GSI2SK, projects ALL; ${GSI2}`],
  [indexes(index('GSI2')), 'index_GSI1 missing: none'],
  [
    second({ KeySchema: keySchema('GSI1PK', 'GSI1SK') }),
    `index_GSI2 wrong: GSI1PK, GSI1SK, projects ALL; ${GSI2}`,
  ],
  [
    second({ Projection: { ProjectionType: 'KEYS_ONLY' } }),
    `index_GSI2 wrong: GSI2PK, GSI2SK, projects KEYS_ONLY; ${GSI2}`,
  ],
  [second({ Projection: undefined } as never), `index_GSI2 wrong: GSI2PK, GSI2SK, projects nothing; ${GSI2}`],
  [second({ IndexStatus: 'CREATING' }), 'index_GSI2 wrong: CREATING: wait until it is built'],
  [second({ IndexStatus: 'UPDATING' })],
  [ttl('ENABLED', 'expires'), 'time_to_live wrong: on expires; expected ttl: turn it off first'],
  [ttl('DISABLING'), 'time_to_live wrong: is being turned off: wait'],
  [ttl('DISABLED'), 'time_to_live missing: off'],
  [ttl(undefined), 'time_to_live missing: off'],
  [ttl('ENABLING')],
  [stateOf({ timeToLive: undefined }), 'time_to_live unknown: this engine does not report it'],
  [stateOf({ backups: { ContinuousBackupsStatus: 'ENABLED' } }), 'point_in_time_recovery missing: off'],
  [stateOf({ backups: undefined }), 'point_in_time_recovery unknown: this engine does not report it'],
  [table({ DeletionProtectionEnabled: false }), 'deletion_protection missing: off'],
  [
    table({ DeletionProtectionEnabled: undefined }),
    'deletion_protection unknown: this engine does not report it',
  ],
  [
    table({ BillingModeSummary: { BillingMode: 'PROVISIONED' } }),
    'billing_mode missing: provisioned, undefined read units',
  ],
  [
    table({ BillingModeSummary: undefined, ProvisionedThroughput: { ReadCapacityUnits: 5 } }),
    'billing_mode missing: provisioned, 5 read units',
  ],
  [table({ BillingModeSummary: undefined }), 'billing_mode unknown: this engine does not report it'],
])('tableFindings reports the faults of %j', (state, ...expected) => {
  expect(notOk(state)).toEqual(expected);
});
